import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  factKindOf, readFact, saidTo, topicsOf, type FactContents, type FactSource,
} from '../../../services/domain/live/facts.ts';
import { FACT_KINDS } from '../../../services/domain/live/scope.ts';

function record(
  output: keyof typeof TOPICS, value: unknown, headers: Readonly<Record<string, string>> = {},
): FactSource {
  return { topic: TOPICS[output].name, value: JSON.stringify(value), headers };
}

function read(source: FactSource): FactContents {
  const fact = readFact(source);
  if (fact === undefined) throw new Error('no fact');
  return fact;
}

describe('a fact of a live feed', () => {
  it('is made of ten topics, each of one kind', () => {
    expect(topicsOf(FACT_KINDS)).toHaveLength(10);
    expect(topicsOf(['command'])).toEqual([
      TOPICS.providerCommands.name, TOPICS.providerCommandResults.name,
    ]);
    expect(factKindOf(TOPICS.tokens.name)).toBeUndefined();
    expect(readFact(record('tokens', { type: 'TokenIssued' }))).toBeUndefined();
  });

  it('about a device shows no name of it, and belongs to the client that registered it', () => {
    const fact = read(record('deviceLifecycle', {
      type: 'DeviceRegistered', device_id: 'd', client_id: '1', user_id: 'u', entity_id: 'plate',
      entity_hash: 'hash', personal: { sealed: 'x' }, device_specs: { imei: '1' }, epoch: 1,
      transport_id: '9', at_ms: 5,
    }, { client: 'someone else' }));
    expect(fact).toMatchObject({ kind: 'device', side: 'rtt', clientId: '1' });
    expect(saidTo('operator', fact)).toEqual({
      type: 'DeviceRegistered', device_id: 'd', client_id: '1', epoch: 1, transport_id: '9', at_ms: 5,
    });
  });

  it('about a command shows its state, but not its body', () => {
    const fact = read(record('providerCommands', {
      type: 'ProviderCommandIssued', command_id: 'c', provider: 'acme', command_key: '9',
      client_id: 'the platform', body: { transport: { plate: 'ABC' } }, at_ms: 5,
    }, { client: 'the platform', provider: 'acme' }));
    expect(fact).toMatchObject({ kind: 'command', provider: 'acme', clientId: 'the platform' });
    expect(saidTo('platform', fact)).toEqual({
      type: 'ProviderCommandIssued', command_id: 'c', provider: 'acme', command_key: '9', at_ms: 5,
    });
  });

  const journey = {
    type: 'JourneyRecorded', tracking_number: 'RST1', client_id: '1', carrier: '1',
    owner: { client_id: '1' }, content_hash: 'hash', outcome: 'applied', code: '0114',
    status_before: 'SHIPPED', state: { status: 'DELIVERED', final: true },
  };

  it('about a journey shows how the shipment stands to its own carrier', () => {
    const fact = read(record('journey', journey));
    expect(fact).toMatchObject({ kind: 'journey', side: 'tracking', clientId: '1' });
    const { carrier: _, owner: _owner, content_hash: _hash, ...shown } = journey;
    expect(saidTo('carrier', fact)).toEqual(shown);
  });

  it('does not show it to a carrier whose notification was kept apart, only to the platform', () => {
    const fact = read(record('journey', { ...journey, carrier: '2', outcome: 'disputed' }));
    expect(fact.clientId).toBe('1');
    expect(saidTo('carrier', fact)).toEqual({
      type: 'JourneyRecorded', tracking_number: 'RST1', client_id: '1', outcome: 'disputed',
      code: '0114',
    });
    expect(saidTo('platform', fact)).toHaveProperty('state');
    expect(saidTo('operator', fact)).toHaveProperty('status_before');
  });

  it('of a receipt is made of the headers alone', () => {
    const headers = {
      'ingest-id': 'i', 'received-at': '5', 'client': '1', 'provider': 'acme', 'n': '12',
    };
    const fact = read({ topic: TOPICS.locations.name, value: 'not read', headers });
    expect(fact).toMatchObject({ kind: 'receipt', side: 'rtt', clientId: '1' });
    expect(saidTo('client', fact)).toEqual({
      ingest_id: 'i', client_id: '1', provider: 'acme', items: 12, received_at_ms: 5,
    });
    expect(read({ ...record('notifications', {}), headers }))
      .toMatchObject({ kind: 'receipt', side: 'tracking' });
  });

  const deadLetter = (topic: string) => record('deadLetters', {
    origin: { topic, topic_id: 't', partition: 1, offset: 2, key: 'cGVyc29u' },
    worker: 'journey', stage: 'apply', code: 'record_invalid', detail: 'it quotes a value',
    headers: { 'client': '1', 'ingest-id': 'i' }, value: 'c2VjcmV0', code_version: '1', at_ms: 5,
  });

  it('about a dead letter belongs to the sender of the record, and quotes nothing to it', () => {
    const fact = read(deadLetter(TOPICS.locations.name));
    expect(fact).toMatchObject({ kind: 'dead_letter', side: 'rtt', clientId: '1' });
    const shown = {
      stage: 'apply', code: 'record_invalid', at_ms: 5, ingest_id: 'i',
      origin: { topic: TOPICS.locations.name, topic_id: 't', partition: 1, offset: 2 },
    };
    expect(saidTo('client', fact)).toEqual(shown);
    expect(saidTo('platform', fact)).toEqual(shown);
    expect(saidTo('operator', fact)).toEqual({
      ...shown, worker: 'journey', detail: 'it quotes a value', code_version: '1',
    });
  });

  it('about a dead letter is of the side of its record; of no one else where that has none', () => {
    expect(read(deadLetter(TOPICS.notifications.name)).side).toBe('tracking');
    expect(read(deadLetter(TOPICS.authorizations.name)).side).toBe('other');
  });

  it('is none when the record cannot be read', () => {
    expect(readFact({ topic: TOPICS.journey.name, value: '{', headers: {} })).toBeUndefined();
    expect(readFact(record('deadLetters', { origin: 'x' }))).toBeUndefined();
  });
});
