import { describe, expect, it } from 'vitest';
import { viewerOf } from '../../../services/domain/live/viewer.ts';
import {
  boundsOf, changeWebhook, isReplayed, outboxesOf, LIVE_RANGE, liveSecrets, newestWebhook, rangeOf,
  rotated,
} from '../../../services/domain/webhook/webhook.ts';
import { aClient } from '../../support/state-facts.ts';
import { aWebhook, JOURNEY } from '../../support/webhook-env.ts';

const CLIENT = '100000000000042';

describe('A webhook', () => {
  it('signs with its newest secret and with those before until they expire, four at most', () => {
    let secrets = aWebhook(CLIENT).secrets;
    for (const at of [1, 2, 3, 4]) secrets = rotated(secrets, `sealed ${at}`, at * 10, at * 10 + 100);
    expect(secrets.map(({ sealed }) => sealed)).toEqual(['sealed 4', 'sealed 3', 'sealed 2', 'sealed 1']);
    expect(secrets.map(({ expires_at_ms }) => expires_at_ms)).toEqual([undefined, 140, 130, 120]);
    expect(liveSecrets(secrets, 130).map(({ sealed }) => sealed)).toEqual(['sealed 4', 'sealed 3']);
    expect(rotated(secrets, 'at once', 50, 50).filter(({ expires_at_ms = 99 }) => expires_at_ms > 50)).toHaveLength(1);
  });

  it('keeps no secret and no range once it is removed', () => {
    const removed = changeWebhook(aWebhook(CLIENT), { status: 'removed' }, 7);
    expect(removed).toMatchObject({ status: 'removed', secrets: [], ranges: [], version: 2, at_ms: 7 });
    expect(newestWebhook(removed, aWebhook(CLIENT))).toBe(removed);
  });

  it('has an outbox for each partition of each of its ranges', () => {
    const replay = rangeOf('r-000000000001', [1, 0].map((partition) => (
      { topic: JOURNEY, topicId: 't', partition, start: partition, end: 5 }
    )));
    const webhook = aWebhook(CLIENT, { ranges: [...aWebhook(CLIENT).ranges, replay] });
    expect(outboxesOf(webhook)).toHaveLength(5);
    const { webhook_id } = webhook;
    const outbox = { webhook_id, range_id: replay.range_id, topic: JOURNEY, partition: 1 };
    expect(boundsOf(webhook, outbox)).toEqual({ topicId: 't', start: 1, end: 5 });
    const live = boundsOf(webhook, { ...outbox, range_id: LIVE_RANGE });
    expect(live).toMatchObject({ start: 0, end: undefined });
    expect(boundsOf(webhook, { ...outbox, partition: 2 })).toBeUndefined();
    expect(boundsOf(webhook, { ...outbox, range_id: 'r-000000000002' })).toBeUndefined();
  });

  it('has replayed a range when each outbox is at its end and holds nothing', () => {
    const range = rangeOf('r-000000000001', [{ topic: JOURNEY, topicId: 't', partition: 0, start: 2, end: 5 }]);
    const held = [{ key: 'A', offset: 2, failures: 1, since_ms: 1, tried_at_ms: 1, due_ms: 1 }];
    expect(isReplayed(range, () => ({ cursor: 5, held: [] }))).toBe(true);
    expect(isReplayed(range, () => ({ cursor: 5, held }))).toBe(false);
    expect(isReplayed(range, () => ({ cursor: 4, held: [] }))).toBe(false);
    expect(isReplayed(range, () => undefined)).toBe(false);
    const [live] = aWebhook(CLIENT).ranges;
    expect(live !== undefined && isReplayed(live, () => ({ cursor: 9, held: [] }))).toBe(false);
  });
});

describe('Who follows by webhook', () => {
  it('is who may follow the live feed', () => {
    const of = (change: Parameters<typeof aClient>[0]) => (
      viewerOf(aClient({ client_id: CLIENT, ...change }))
    );
    expect(of({ audiences: ['platform'], scopes: ['platform:read'] })).toEqual({ kind: 'platform' });
    expect(of({ audiences: ['rtt'], scopes: ['query:read'], providers: ['acme'] })).toEqual(
      { kind: 'client', clientId: CLIENT, providers: ['acme'], seesCommands: false });
    expect(of({ audiences: ['rtt'], scopes: ['query:read', 'rtt:commands'] })).toMatchObject({ seesCommands: true });
    expect(of({ audiences: ['tracking-pull'], scopes: ['query:read'] })).toEqual({ kind: 'carrier', clientId: CLIENT });
    expect(of({ audiences: ['rtt'], scopes: ['rtt:locations'] })).toBeUndefined();
    expect(of({ audiences: ['platform'], scopes: ['admin'] })).toBeUndefined();
    expect(of({ audiences: ['authorizations'], scopes: ['query:read'] })).toBeUndefined();
    expect(of({ audiences: ['platform'], scopes: ['platform:read'], status: 'disabled' })).toBeUndefined();
  });

  it('is never a sandbox client, whatever its rights: it would get what is real', () => {
    for (const [audience, scope] of [
      ['platform', 'platform:read'], ['rtt', 'query:read'], ['tracking-pull', 'query:read'],
    ] as const) {
      const client = aClient({ audiences: [audience], scopes: [scope], sandbox: true });
      expect(viewerOf(client)).toBeUndefined();
      expect(viewerOf({ ...client, sandbox: false })).toBeDefined();
    }
  });
});
