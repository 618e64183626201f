import { describe, expect, it } from 'vitest';
import { bundleOf, bundleTitles } from '../../../schemas/bundles.ts';
import { changed, validatorOf } from './validators.ts';
import type { Json } from './validators.ts';

const hash = 'a'.repeat(64);
const client = { client_id: '100000000000042' };
const registered: Json = {
  type: 'DeviceRegistered', device_id: 'd1', ...client, user_id: 'u1', generation: 1, epoch: 1,
  entity_type: 't', entity_hash: hash, transport_id: 7, device_specs: {}, country_id: 'BR',
  at_ms: 1,
};
const inClear: Json = { ...registered, entity_id: 'e', device_specs: { equipment_id: 'E1' } };
const sealed: Json = {
  ...registered, personal: { key: 'k', sealed: 'a'.repeat(38), mac: hash },
};
const started: Json = {
  type: 'DeviceTrackingStarted', device_id: 'd1', ...client, epoch: 2, country_id: 'BR', at_ms: 1,
};
const stopped: Json = { ...started, type: 'DeviceTrackingStopped', epoch: 3 };
const recorded: Json = {
  type: 'ClientRecorded', ...client, user_id: 'u1', name: 'Acme', providers: ['acme'],
  audiences: ['rtt'], scopes: ['rtt:devices'], status: 'active', version: 1, at_ms: 1,
  secrets: [{ secret_id: 's1', hash, created_at_ms: 1 }],
};
const issued: Json = {
  type: 'TokenIssued', token_hash: hash, ...client, audience: 'rtt', scopes: ['rtt:devices'],
  issued_at_ms: 1, expires_at_ms: 2,
};
const revoked: Json = {
  type: 'TokenRevoked', token_hash: hash, ...client, expires_at_ms: 2, at_ms: 1,
};
const dead: Json = {
  origin: { topic: 't', partition: 0, offset: 0, key: null }, stage: 'decode', code: 'undecodable',
  detail: '', headers: { 'ingest-id': 'x' }, value: null, code_version: '0.1.0', at_ms: 1,
};
const party: Json = {
  type: 'PartyRecorded', party_id: 'p1', kind: 'carrier', name: 'Acme', base_url: 'https://a.example',
  authentication: { kind: 'static', sealed_token: 'v1.x' }, contracts_requiring_agency: [],
  status: 'active', version: 1, at_ms: 1,
};
const issuedCommand: Json = {
  type: 'ProviderCommandIssued', command_id: 'c1', provider: 'acme', command_key: '7', ...client,
  country_id: 'BR', at_ms: 1,
  body: {
    command: 'stop_tracking', transport: { id: 7, license_plate: 'ABC1D23', country_id: 'BR' },
  },
};
const commandResult: Json = {
  type: 'ProviderCommandResult', command_id: 'c1', provider: 'acme', command_key: '7', fence: 1,
  attempt: 1, outcome: 'done', reason: 'answered', at_ms: 1,
};
const SAMPLES: [title: string, sample: Json][] = [
  ['DeviceRegistered', registered],
  ['DeviceTrackingStarted', started],
  ['DeviceTrackingStopped', stopped],
  ['ClientRecorded', recorded],
  ['TokenIssued', issued],
  ['TokenRevoked', revoked],
  ['DeadLetter', dead],
  ['PartyRecorded', party],
  ['ProviderCommandIssued', issuedCommand],
  ['ProviderCommandResult', commandResult],
];

describe.each(SAMPLES)('the record %s', (title, sample) => {
  const faults = validatorOf(title);

  it('is accepted as described, and with nothing left out', () => {
    expect(faults(sample)).toEqual([]);
    for (const name of Object.keys(sample)) {
      expect(faults(changed(sample, `/${name}`, undefined))).toEqual([`/${name} required`]);
    }
  });

  it('is closed', () => {
    expect(faults({ ...sample, extra: 1 })).toEqual([' additionalProperties']);
  });
});

describe('the values of topics with several facts', () => {
  it.each([
    sealed, inClear, started, stopped,
  ])('take $type as a device lifecycle record, sealed or from before', (fact) => {
    const faults = validatorOf('DeviceLifecycleRecord');
    expect(faults(fact)).toEqual([]);
    expect(faults({ ...fact, epoch: 4 })).not.toEqual([]);
    expect(faults({ ...fact, type: 'DeviceRenamed' })).not.toEqual([]);
  });

  it.each([issued, revoked])('[TOK-14] take $type with a hash and never a token', (fact) => {
    const faults = validatorOf('TokenRecord');
    expect(faults(fact)).toEqual([]);
    expect(faults({ ...fact, token_hash: 'T'.repeat(43) })).not.toEqual([]);
    expect(faults({ ...fact, token: 'secret' })).not.toEqual([]);
  });

  it('hold a ClientRecorded to its lists', () => {
    const faults = validatorOf('ClientRecorded');
    const retired = { secret_id: 's', hash, created_at_ms: 1, retired_at_ms: 2 };
    expect(faults({ ...recorded, secrets: [retired] })).toEqual([]);
    expect(faults({ ...recorded, status: 'asleep' })).toEqual(['/status enum']);
    expect(faults({ ...recorded, scopes: ['rtt:*'] })).toEqual(['/scopes/0 enum']);
    expect(faults({ ...recorded, providers: ['Acme'] })).toEqual(['/providers/0 pattern']);
    expect(faults({ ...recorded, client_id: '42' })).toEqual(['/client_id pattern']);
  });
});

describe('the bundles', () => {
  it.each([
    'Locations', 'TelemetryEvents', 'DeferredEvents', 'DeliveryLocations',
  ])('hold the record of %s to exactly the body', (name) => {
    const { title: _record, ...record } = bundleOf(`${name}Record`);
    const { title: _body, ...body } = bundleOf(`${name}Body`);
    expect(record).toEqual(body);
  });

  it.each(bundleTitles())('give the registry %s in one piece', (title) => {
    const bundle = bundleOf(title);
    const shape = title === 'NotificationsBody'
      // One or many: a body that is a list is never a record, so the registry does not see it.
      ? { oneOf: [{ type: 'object' }, { type: 'array' }] }
      : { type: 'object', properties: expect.anything() as unknown };
    expect(bundle).toMatchObject({ title, ...shape });
    expect(JSON.stringify(bundle)).not.toMatch(/"\$(?:ref|defs|schema|id)":/);
  });
});
