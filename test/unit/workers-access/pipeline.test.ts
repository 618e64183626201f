import { beforeEach, describe, expect, it } from 'vitest';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { aParty } from '../../support/command-facts.ts';
import { fakeStates, type FakeStates } from '../../support/fake-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { aClient, aToken, revocationOf } from '../../support/state-facts.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

const CLIENTS = 'oauth.clients.v1';
const TOKENS = 'oauth.tokens.v1';
const PARTIES = 'platform.parties.v1';

describe('The access projector', () => {
  const client = aClient();
  const token = aToken(client);
  let states: FakeStates;
  let other: MemoryStates;
  let written: string[];
  let projector: LogHandler;

  beforeEach(() => {
    states = fakeStates();
    other = memoryStates();
    written = [];
    projector = createProjection('access', POISON_FLOOD_LIMITS, {
      readRecord,
      access: states.access, parties: other.parties, overflow: other.overflow,
      webhooks: other.webhooks,
      clock: { nowMs: () => 0 },
      signals: silentSignals,
      deadLetters: {
        write: async (record, stage, code) => {
          written.push(`${record.topic} ${record.offset} ${stage} ${code}`);
        },
      },
    });
  });

  it('applies clients and tokens, also those gateways wrote before', async () => {
    await states.access.putToken(token);
    const committed = await projector.onRecords([
      aLogRecord(TOKENS, 1, token),
      aLogRecord(CLIENTS, 8, client),
      aLogRecord(CLIENTS, 9, { ...client, version: 2, scopes: [] }),
      aLogRecord(TOKENS, 2, revocationOf(token)),
    ]);
    expect(committed).toEqual([
      { topic: TOKENS, partition: 0, nextOffset: 3n },
      { topic: CLIENTS, partition: 0, nextOffset: 10n },
    ]);
    expect(await states.access.findClient(client.client_id)).toMatchObject({ version: 2 });
    expect(await states.access.findToken(shardOf(client.client_id), token.token_hash))
      .toMatchObject({ revoked: true });
  });

  it('applies parties by version', async () => {
    const party = aParty();
    await projector.onRecords([
      aLogRecord(PARTIES, 1, { ...party, version: 2, base_url: 'https://new.example' }),
      aLogRecord(PARTIES, 2, party),
    ]);
    expect(await other.parties.find(party.party_id)).toMatchObject({ version: 2 });
    expect(written).toEqual([]);
  });

  it.each([
    ['a client without scopes', CLIENTS, { ...client, scopes: undefined }],
    ['a client with a version that is none', CLIENTS, { ...client, version: '2' }],
    ['a token among the clients', CLIENTS, token],
    ['a client among the tokens', TOKENS, client],
    ['a token without an end', TOKENS, { ...token, expires_at_ms: null }],
    ['a list', TOKENS, [token]],
    ['a party without an address', PARTIES, { ...aParty(), base_url: '' }],
  ])('makes a dead letter of %s', async (_what, topic, value) => {
    await projector.onRecords([aLogRecord(topic, 3, value)]);
    expect(written).toEqual([`${topic} 3 consume record_invalid`]);
    expect(states.store.ofKind('client').length + states.store.ofKind('token').length).toBe(0);
  });
});
