import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { ClientRecorded, TokenIssued, TokenRevoked } from '../../services/kernel/access.ts';
import type { AdmissionRequest } from '../../services/kernel/admission.ts';
import type {
  DeviceEvent, DeviceRegistered, DeviceTrackingStarted, DeviceTrackingStopped,
} from '../../services/kernel/devices.ts';
import type { RecordId } from '../../services/kernel/record-id.ts';
import type { FixOffer } from '../../services/kernel/fixes.ts';
import type { TraceableOffer } from '../../services/kernel/traceables.ts';
import { shardOf } from '../../services/kernel/shards.ts';

/** A client id of fifteen digits that no other test uses. */
export function newClientId(): string {
  return `1${String(randomInt(10 ** 13)).padStart(14, '0')}`;
}

/** The SHA-256 of a text in hex, as tokens are stored. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A client with every right, unless changed. */
export function aClient(change: Partial<ClientRecorded> = {}): ClientRecorded {
  const client_id = change.client_id ?? newClientId();
  return {
    type: 'ClientRecorded',
    client_id,
    user_id: `user-${client_id}`,
    name: 'A client, for tests',
    providers: ['acme', 'best'],
    audiences: ['rtt', 'revoke'],
    scopes: ['rtt:devices', 'rtt:locations'],
    secrets: [{ secret_id: 's1', hash: sha256('s1'), created_at_ms: 1_764_000_000_000 }],
    status: 'active',
    version: 1,
    at_ms: 1_764_000_000_000,
    ...change,
  };
}

/** A token of a client that lives an hour from now. */
export function aToken(client: ClientRecorded, change: Partial<TokenIssued> = {}): TokenIssued {
  const now = Date.now();
  return {
    type: 'TokenIssued',
    token_hash: sha256(randomUUID()),
    client_id: client.client_id,
    audience: 'rtt',
    scopes: [...client.scopes],
    issued_at_ms: now,
    expires_at_ms: now + 3_600_000,
    ...change,
  };
}

/** The revocation of a token. */
export function revocationOf(token: TokenIssued): TokenRevoked {
  return {
    type: 'TokenRevoked',
    token_hash: token.token_hash,
    client_id: token.client_id,
    expires_at_ms: token.expires_at_ms,
    at_ms: token.issued_at_ms + 1,
  };
}

/** The registration of a device of a client, as it is decided: nothing of it sealed. */
export function aRegistration(
  client: ClientRecorded, change: Partial<DeviceRegistered> = {},
): DeviceRegistered {
  const entity_id = change.entity_id ?? `truck-${randomUUID()}`;
  return {
    type: 'DeviceRegistered',
    device_id: randomUUID(),
    client_id: client.client_id,
    user_id: client.user_id,
    generation: 1,
    epoch: 1,
    entity_id,
    entity_hash: sha256(entity_id),
    entity_type: 'acme_truck',
    transport_id: 9_007_199_254_740_991,
    device_specs: { brand: 'Ünïque "brand", with, commas' },
    country_id: 'BR',
    at_ms: 1_764_000_000_000,
    ...change,
  };
}

/** The start of a registered device. */
export function startOf(
  device: DeviceRegistered, at_ms = device.at_ms + 10,
): DeviceTrackingStarted {
  return {
    type: 'DeviceTrackingStarted', epoch: 2, device_id: device.device_id,
    client_id: device.client_id, country_id: 'BR', at_ms,
  };
}

/** The stop of a registered device. */
export function stopOf(device: DeviceRegistered, at_ms = device.at_ms + 20): DeviceTrackingStopped {
  return {
    type: 'DeviceTrackingStopped', epoch: 3, device_id: device.device_id,
    client_id: device.client_id, country_id: 'BR', at_ms,
  };
}

/** A place in the log of devices. */
export function logRecordId(offset: bigint | number, topicId = 'topic-a'): RecordId {
  return { topicId, partition: 0, offset: BigInt(offset) };
}

/** Facts with places in the log, one offset after the other. */
export function placed(
  events: readonly DeviceEvent[], first = 0,
): { event: DeviceEvent; recordId: RecordId }[] {
  return events.map((event, i) => ({ event, recordId: logRecordId(first + i) }));
}

/** A fix offered as last position. */
export function anOffer(change: Partial<FixOffer> = {}): FixOffer {
  return {
    client_id: newClientId(),
    device_id: randomUUID(),
    timestamp: 1_764_000_000,
    latitude: -23.5505199,
    longitude: -46.6333094,
    country_id: 'BR',
    received_at_ms: 1_764_000_001_000,
    provider: 'acme',
    recordId: logRecordId(1),
    ...change,
  };
}

/** A fix of a traceable offered as its last position. */
export function aTraceableOffer(change: Partial<TraceableOffer> = {}): TraceableOffer {
  return {
    client_id: newClientId(),
    traceable_type: 'shipment',
    traceable_id: randomUUID(),
    timestamp: 1_764_000_000,
    latitude: -23.5505199,
    longitude: -46.6333094,
    country_id: 'BR',
    received_at_ms: 1_764_000_001_000,
    provider: 'acme',
    external_type: 'acme_driver',
    external_id: 'driver-7',
    recordId: logRecordId(1),
    ...change,
  };
}

/** What admission is asked about a token. */
export function asking(
  token: TokenIssued,
  change: Partial<Pick<
    AdmissionRequest, 'deviceId' | 'locations' | 'notifications' | 'bytes' | 'charges'
  >> = {},
): AdmissionRequest {
  return {
    tokenHash: token.token_hash,
    shard: shardOf(token.client_id),
    deviceId: change.deviceId,
    locations: change.locations ?? 0,
    notifications: change.notifications ?? 0,
    bytes: change.bytes ?? 0,
    charges: change.charges ?? true,
  };
}
