import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { callSubject } from '../../domain/authorization/sealed-facts.ts';
import { isSameNumber } from '../../domain/journey/canonical-number.ts';
import { joinPersonal } from '../../domain/personal/split.ts';
import type { AuthorizationCallEvent } from '../../kernel/authorization-calls.ts';
import type { AuthorizationEvent } from '../../kernel/authorizations.ts';
import type { DeviceEvent, DeviceRegistered } from '../../kernel/devices.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import {
  deviceSubject, shipmentSubject, type PersonalSeals, type SealedPersonal, type SealedType,
  type Subject,
} from '../../kernel/personal.ts';
import type { LogReader, LogRecord } from '../../kernel/record-log.ts';

/** A record about a person, with its personal members as long as their key exists. */
export interface PersonalRecordShown {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly logged_at_ms: number;
  readonly fact: unknown;
}

interface Found {
  readonly record: LogRecord;
  readonly subject: Subject;
}

const READ = [
  TOPICS.notifications.name, TOPICS.authorizations.name, TOPICS.authorizationCalls.name,
  TOPICS.deviceLifecycle.name,
];

/**
 * Every subject that a shipment's data stands under: its number, the other numbers of its transport
 * order, and what carriers were asked about it.
 */
export async function subjectsOfShipment(
  reader: LogReader, trackingNumber: string,
): Promise<readonly Subject[]> {
  const orders = new Map<string, Set<Subject>>();
  const calls = new Map<string, Subject>();
  const answered = new Set<string>();
  await eachFact<AuthorizationEvent | AuthorizationCallEvent>(reader, [
    TOPICS.authorizations.name, TOPICS.authorizationCalls.name,
  ], (event) => {
    if (event.type === 'ShipmentAuthorized') {
      const order = JSON.stringify([event.client_id, event.transport_order_id]);
      const own = orders.get(order) ?? new Set();
      orders.set(order, own.add(shipmentSubject(event.tracking_number)));
    }
    if (event.type === 'AuthorizationAsked') calls.set(event.call_id, callSubject(event));
    if (event.type === 'AuthorizationTried'
      && isSameNumber(event.tracking_number ?? '', trackingNumber)) {
      answered.add(event.call_id);
    }
  });
  const subject = shipmentSubject(trackingNumber);
  const same = [...orders.values()].filter((own) => own.has(subject)).flatMap((own) => [...own]);
  const asked = [...answered].flatMap((id) => calls.get(id) ?? []);
  return [...new Set([subject, ...same, ...asked])];
}

/** One registration of an entity, the client that registered it and its transports. */
export interface DeviceLife extends Pick<DeviceRegistered, 'device_id' | 'client_id'> {
  readonly transport_ids: string[];
}

/** Every life of the entity that a device belongs to: the name that is sealed in them is one. */
export async function livesOfDevice(
  reader: LogReader, deviceId: string,
): Promise<readonly DeviceLife[]> {
  const lives = new Map<string, DeviceLife[]>();
  await eachFact<DeviceEvent>(reader, [TOPICS.deviceLifecycle.name], (event) => {
    if (event.type !== 'DeviceRegistered') return;
    const { client_id, entity_hash, device_id, transport_id } = event;
    const entity = JSON.stringify([client_id, entity_hash]);
    const own = lives.get(entity) ?? [];
    const known = own.find((each) => each.device_id === device_id);
    // A repeated registration may name another transport.
    if (known?.transport_ids.includes(String(transport_id)) === false) {
      known.transport_ids.push(String(transport_id));
    }
    lives.set(entity, known === undefined
      ? [...own, { device_id, client_id, transport_ids: [String(transport_id)] }] : own);
  });
  return [...lives.values()].find((own) => own.some((each) => each.device_id === deviceId)) ?? [];
}

/** The subjects of a device and of all other lives of its entity. */
export function subjectsOfLives(
  deviceId: string, lives: readonly DeviceLife[],
): readonly Subject[] {
  return [...new Set([deviceId, ...lives.map(({ device_id }) => device_id)])].map(deviceSubject);
}

/** Everything that the log holds about some subjects, in the order of its topics. */
export async function recordsAbout(
  reader: LogReader, personal: PersonalSeals, subjects: readonly Subject[],
): Promise<readonly PersonalRecordShown[]> {
  const found: Found[] = [];
  await eachAbout(reader, subjects, (each) => { found.push(each); });
  const keys = await personal.forReading(subjects);
  return found.map(({ record, subject }) => {
    const { personal: sealed, ...clear } = parseExact(record.value.toString('utf8')) as {
      readonly type: SealedType; readonly personal?: SealedPersonal;
    };
    const opened = sealed === undefined ? undefined : keys.open(clear.type, subject, sealed);
    const { topic, partition, offset, timestampMs } = record;
    return {
      topic, partition, offset: String(offset), logged_at_ms: timestampMs,
      fact: joinPersonal(clear, opened),
    };
  });
}

/** True when the log holds any record about one of some subjects, sealed or not. */
export async function isInLog(reader: LogReader, subjects: readonly Subject[]): Promise<boolean> {
  let isFound = false;
  await eachAbout(reader, subjects, () => { isFound = true; });
  return isFound;
}

async function eachAbout(
  reader: LogReader, subjects: readonly Subject[], use: (found: Found) => void,
): Promise<void> {
  const wanted = new Set(subjects);
  const calls = new Map<string, Subject>();
  await eachFact<{ type: string; call_id?: string }>(reader, READ, (fact, record) => {
    const { type, call_id } = fact;
    if (type === 'AuthorizationAsked') calls.set(call_id ?? '', callSubject(fact as never));
    const subject = subjectOf(record, fact, calls);
    if (wanted.has(subject)) use({ record, subject });
  });
}

function subjectOf(
  { topic, key }: LogRecord, fact: unknown, calls: ReadonlyMap<string, Subject>,
): Subject {
  const { tracking_number, call_id, device_id } = fact as {
    tracking_number?: string; call_id?: string; device_id?: string;
  };
  switch (topic) {
    case TOPICS.notifications.name: return shipmentSubject(key);
    case TOPICS.deviceLifecycle.name: return deviceSubject(device_id ?? '');
    case TOPICS.authorizationCalls.name: return calls.get(call_id ?? '') ?? '';
    default: return shipmentSubject(tracking_number ?? '');
  }
}
