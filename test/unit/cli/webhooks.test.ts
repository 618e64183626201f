import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { webhookCommand } from '../../../services/cli/webhook/command.ts';
import { resealWebhooks } from '../../../services/cli/webhook/log.ts';
import { liveSecrets } from '../../../services/domain/webhook/webhook.ts';
import type { WebhookPorts } from '../../../services/cli/webhook/ports.ts';
import type { WebhookOutboxRead, WebhookRecorded } from '../../../services/kernel/webhooks.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aClient } from '../../support/state-facts.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const JOURNEY = TOPICS.journey.name;
const VAULT_KEY = Buffer.alloc(32, 7).toString('base64');
const platform = aClient({ audiences: ['platform'], scopes: ['platform:read'] });
const stranger = aClient({ scopes: ['rtt:locations'] });

let log: FakeRecordLog;
let nonces = 0;
beforeEach(() => {
  log = fakeRecordLog();
  nonces = 0;
});

/** Journeys of the last ten hours, one an hour. */
const journeys = Array.from({ length: 10 }, (_, at) => (
  aLogRecord(JOURNEY, at, {}, { timestampMs: NOW_MS - (10 - at) * 3_600_000 })
));

function ports(change: Partial<WebhookPorts> = {}): WebhookPorts {
  const written = log.appended.map(
    ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
  );
  const clients = [platform, stranger].map(
    (client, at) => aLogRecord(TOPICS.clients.name, at, client),
  );
  const { watch, extents } = fakeWatchedLog(journeys);
  return {
    log, watch, extents, reader: fakeLogReader([...clients, ...written]),
    clock: { nowMs: () => NOW_MS },
    ids: { ingestId: () => 'id', nonce: () => String(nonces += 1).padStart(12, '0').padEnd(32, 'f') },
    secrets: keyedSecrets('pepper'), vault: createVault(VAULT_KEY), ...change,
  };
}

const webhook = (...args: string[]) => webhookCommand(ports(), args);
const add = (...more: string[]) => webhook(
  'add', '--client', platform.client_id, '--url', 'https://r.example', '--name', 'R', '--kind', 'journey', ...more,
);
const newest = () => log.of(TOPICS.webhooks.name).at(-1)?.value as WebhookRecorded;
const ID = 'w-000000000001';

describe('rastro webhook', () => {
  it('adds one that begins now, and shows its secret this once', async () => {
    const report = await add();
    expect(report.exitCode).toBe(0);
    expect(loadSchemas().checkOf('WebhookRecorded')(newest())).toBeUndefined();
    const { secret } = report.value as { secret: string };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newest()).toMatchObject({
      webhook_id: ID, client_id: platform.client_id, kinds: ['journey'], status: 'active', version: 1,
      ranges: [{ range_id: 'live', topics: [{ topic: JOURNEY, topic_id: `${JOURNEY}-id`, starts: [10] }] }],
    });
    expect(JSON.stringify(log.appended)).not.toContain(secret);
    expect(createVault(VAULT_KEY).open(newest().secrets[0]?.sealed ?? '')).toBe(secret);
    for (const verb of ['show', 'list']) {
      const shown = await webhook(...(verb === 'show' ? [verb, ID] : [verb]));
      expect(JSON.stringify(shown)).not.toContain(newest().secrets[0]?.sealed ?? '?');
      expect(JSON.stringify(shown.value)).toContain(ID);
    }
  });

  it('adds one that begins at a time, and gets every kind unless some are named', async () => {
    await add('--from', '2026-11-27T08:30:00Z');
    expect(newest().ranges[0]?.topics[0]?.starts).toEqual([7]);
    await webhook('add', '--client', platform.client_id, '--url', 'https://r.example', '--name', 'R');
    expect(newest().kinds).toEqual(['device', 'journey', 'command', 'dead_letter']);
    expect(newest().ranges[0]?.topics).toHaveLength(5);
  });

  it('refuses what cannot work, and records nothing', async () => {
    expect((await add('--kind', 'receipt')).exitCode).toBe(2);
    expect((await add('--url', 'ftp://r.example')).exitCode).toBe(2);
    expect((await add('--from', 'noon')).exitCode).toBe(2);
    expect((await add('--client', '100000000000099')).exitCode).toBe(3);
    const refused = await add('--client', stranger.client_id);
    expect(refused.exitCode).toBe(2);
    expect(refused.lines.join()).toContain('query:read');
    const args = ['add', '--client', platform.client_id, '--url', 'https://r.example', '--name', 'R'];
    expect((await webhookCommand(ports({ vault: undefined }), args)).exitCode).toBe(2);
    for (const verb of ['show', 'rotate', 'remove', 'pause', 'resume']) {
      expect((await webhook(verb, 'w-00000000ffff')).exitCode).toBe(3);
    }
    expect(log.appended).toEqual([]);
  });

  it('rotates the secret, beside which the old one signs for a day', async () => {
    const { secret: first } = (await add()).value as { secret: string };
    const { secret } = (await webhook('rotate', ID)).value as { secret: string };
    const vault = createVault(VAULT_KEY);
    const signing = newest().secrets.map(
      ({ sealed, expires_at_ms }) => [vault.open(sealed), expires_at_ms],
    );
    expect(signing).toEqual([[secret, undefined], [first, NOW_MS + 86_400_000]]);
    await webhook('rotate', ID, '--keep-hours', '0');
    expect(liveSecrets(newest().secrets, NOW_MS)).toHaveLength(1);
  });

  it('pauses, resumes and removes', async () => {
    await add();
    await webhook('pause', ID);
    expect(newest()).toMatchObject({ status: 'paused', version: 2 });
    await webhook('resume', ID);
    expect(newest()).toMatchObject({ status: 'active', resumed_at_ms: NOW_MS, version: 3 });
    await webhook('remove', ID);
    expect(newest()).toMatchObject({ status: 'removed', secrets: [] });
    expect((await webhook('show', ID)).exitCode).toBe(3);
    expect((await webhook('list')).lines).toEqual(['There is no webhook.']);
  });

  it('replays a range, and forgets those that are over', async () => {
    await add();
    const range = ['--from', '2026-11-27T04:00:00Z', '--to', '2026-11-27T07:00:00Z'];
    expect((await webhook('replay', ID, ...range)).value).toEqual({ webhook_id: ID, range_id: 'r-000000000002', records: 3 });
    expect(newest().ranges[1]).toEqual({
      range_id: 'r-000000000002', topics: [{ topic: JOURNEY, topic_id: `${JOURNEY}-id`, starts: [2], ends: [5] }],
    });
    await webhook('replay', ID, '--from', '2026-11-27T04:00:00Z');
    expect(newest().ranges).toHaveLength(3);
    await keepOutbox('r-000000000002', 5);
    await webhook('replay', ID, ...range);
    expect(newest().ranges.map(({ range_id }) => range_id)).toEqual(['live', 'r-000000000003', 'r-000000000004']);
    expect((await webhook('replay', ID, '--from', '2026-11-27T07:00:00Z', '--to', '2026-11-27T07:00:00Z')).exitCode).toBe(2);
    expect((await webhook('replay', ID, '--from', 'noon')).exitCode).toBe(2);
  });

  it('shows what waits and what is parked, and goes on behind one fact', async () => {
    await add('--from', '2026-11-27T00:00:00Z');
    await keepOutbox('live', 6, [
      { key: 'RST1', offset: 3, failures: 90, since_ms: NOW_MS - 1, tried_at_ms: NOW_MS, due_ms: NOW_MS, reason: 'gone', status: 410, parked: true },
      { key: 'RST2', offset: 4, failures: 1, since_ms: NOW_MS - 1, tried_at_ms: NOW_MS, due_ms: NOW_MS, reason: 'timeout' },
    ]);
    expect((await webhook('show', ID)).value).toMatchObject({ records_to_read: 4, waiting_keys: 2, parked_keys: 1 });
    const { parked } = (await webhook('parked')).value as { parked: { record_id: string }[] };
    expect(parked).toMatchObject([{ key: 'RST1', record_id: `${JOURNEY}-id:0:3`, tries: 90, reason: 'gone', status: 410 }]);
    expect((await webhook('parked', ID)).lines.join('\n')).toContain('RST1');
    await webhook('skip', ID, parked[0]?.record_id ?? '');
    expect(newest()).toMatchObject({ skipped: [`${JOURNEY}-id:0:3`], resumed_at_ms: NOW_MS });
    expect((await webhook('skip', ID, 'x')).exitCode).toBe(2);
    expect((await webhook('parked', 'w-00000000ffff')).exitCode).toBe(3);
  });

  it('is sealed again with the other secrets of parties', async () => {
    await add();
    const next = createVault(`${Buffer.alloc(32, 8).toString('base64')},${VAULT_KEY}`);
    const before = createVault(VAULT_KEY).open(newest().secrets[0]?.sealed ?? '');
    expect(await resealWebhooks(ports(), next)).toBe(1);
    expect(createVault(Buffer.alloc(32, 8).toString('base64')).open(newest().secrets[0]?.sealed ?? '')).toBe(before);
  });
});

async function keepOutbox(range_id: string, cursor: number, held: WebhookOutboxRead['held'] = []): Promise<void> {
  const outbox: WebhookOutboxRead = {
    type: 'WebhookOutboxRead', webhook_id: ID, range_id, topic: JOURNEY, topic_id: `${JOURNEY}-id`, partition: 0,
    cursor, held, version: 1, at_ms: NOW_MS,
  };
  await log.append({
    topic: TOPICS.webhookOutboxes.name, key: 'outbox', value: Buffer.from(JSON.stringify(outbox)), headers: {},
  }, NOW_MS);
}
