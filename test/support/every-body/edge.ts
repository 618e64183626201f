import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { PlacedMove } from '../../../services/kernel/authorizations.ts';
import {
  deviceSubject, orderSubject, shipmentSubject, type PersonalSeals, type SealedPersonal,
  type SealedType,
} from '../../../services/kernel/personal.ts';
import { anAsk, aTry } from '../authorization-facts.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../command-facts.ts';
import { exampleCall } from '../documented-answers.ts';
import { EDGE_TOKEN } from '../edge.ts';
import type { FakeAppend } from '../fake-log.ts';
import { fakeStates } from '../fake-states.ts';
import { CALLER, CALLER_SECRET, openWholeEdge, type ChangeParts } from '../whole-edge.ts';
import { openLine } from './line.ts';
import { memoryStates } from '../memory-states.ts';

/** The operations of the gateways that take a JSON body. */
export const BODY_OPERATIONS: readonly string[] = Object.values(OPERATIONS)
  .filter(({ id, request: asked }) => (
    asked?.content_type === 'application/json' && id !== 'provider-command'
  ))
  .map(({ id }) => id);

/** A record that a call left. */
export interface StoredRecord {
  readonly topic: string;
  readonly key: string;
  /** Its value as it is in the log. */
  readonly json: string;
  /** What was sealed in it, opened again with the key of its subject. */
  readonly opened: unknown;
}

/** The outcome of one body; status 0 is a call that got no answer. */
export interface BodyOutcome {
  readonly status: number;
  readonly text: string;
  readonly stored: readonly StoredRecord[];
}

/** All rooms over parts in memory, one call at a time. */
export interface BodyEdge {
  send(id: string, body: Buffer): Promise<BodyOutcome>;
  /** Lines that the server wrote since it was opened. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Time limits are not tried here: a machine that stands still must not look like a fault. */
const LONG_MS = 600_000;
const PATIENT = {
  server: {
    headersTimeoutMs: LONG_MS, requestTimeoutMs: LONG_MS, keepAliveTimeoutMs: LONG_MS,
  },
  http: { requestDeadlineMs: LONG_MS, admissionFreshMs: LONG_MS },
};
const UNLIMITED = { allowed: true, retryAfterSeconds: 0 };
const CARRIER = 'p-1f2e3d4c5b6a';
/** What the example of a resend is about. */
const ASK = anAsk('0198c0de-0000-7000-8000-000000000001', {
  carrier: CARRIER, transport_order_id: 'to-41234567890-1', shipment_id: '41234567890',
});
const ORDERS: ReadonlySet<string> = new Set(['authorize-shipment', 'cancel-shipment']);
const BASIC = `Basic ${Buffer.from(`${CALLER}:${CALLER_SECRET}`).toString('base64')}`;

/**
 * Opens it, with everything in place that the examples speak of. `spoil` changes parts, to see
 * whether what is wrong with them is noticed.
 */
export async function openBodyEdge(spoil: ChangeParts = (parts) => parts): Promise<BodyEdge> {
  let authorizations = memoryStates().authorizations;
  let { devices } = fakeStates();
  let { authorizationCalls } = fakeStates();
  let personal: PersonalSeals | undefined;
  let placed: PlacedMove | undefined;
  const whole = await openWholeEdge(PATIENT, (parts) => {
    ({ personal } = parts);
    return spoil({
      ...parts,
      states: {
        ...parts.states,
        access: {
          ...parts.states.access,
          chargeTokenRequest: async () => UNLIMITED, chargeProvenClient: async () => UNLIMITED,
        },
        authorizations: forwarding(() => authorizations),
        devices: forwarding(() => devices),
        authorizationCalls: forwarding(() => authorizationCalls),
      },
    });
  });
  await whole.commands.parties.apply(aParty());
  await whole.commands.parties.apply(aParty({ party_id: CARRIER, kind: 'carrier' }));
  await whole.commands.commands.applyCommands(
    placedCommands([aTelemetryRequest('cmVxdWVzdC0x', 987_654)]),
  );
  const line = openLine(whole.edge.port);
  const heads = new Map(BODY_OPERATIONS.map((id) => [id, headOf(id)]));

  /** An order or a device is decided once: each body meets stores that know neither. */
  async function forget(id: string): Promise<void> {
    if (id === 'register-device') ({ devices } = fakeStates());
    if (id === 'resend-authorization') {
      ({ authorizationCalls } = fakeStates());
      await authorizationCalls.apply([ASK, aTry(ASK, 1, { outcome: 'parked', reason: 'refused' })]);
    }
    if (!ORDERS.has(id)) return;
    authorizations = memoryStates().authorizations;
    if (id !== 'cancel-shipment') return;
    // Making it takes other states than those that it is put into.
    const fact = await authorized();
    await authorizations.apply([fact]);
  }

  /** What there is to cancel. */
  async function authorized(): Promise<PlacedMove> {
    if (placed !== undefined) return placed;
    whole.admit('authorize-shipment');
    const body = Buffer.from(JSON.stringify(exampleCall('authorize-shipment').body));
    await line.post(heads.get('authorize-shipment') ?? [], body);
    const event = whole.log.appended.at(-1)?.value as PlacedMove['event'];
    authorizations = memoryStates().authorizations;
    const recordId = { topicId: 'id', topic: 'topic', partition: 0, offset: 0n };
    return placed = { event, recordId };
  }

  async function read({ topic, key, bytes }: FakeAppend): Promise<StoredRecord> {
    const json = Buffer.from(bytes).toString('utf8');
    const fact = JSON.parse(json) as SealedFact;
    const subject = subjectOf(fact, key);
    const keys = subject === undefined ? undefined : await personal?.forReading([subject]);
    const opened = fact.personal === undefined || subject === undefined
      ? undefined
      : keys?.open(fact.type, subject, fact.personal);
    return { topic, key, json, opened };
  }

  return {
    lines: whole.edge.lines,
    async send(id, body) {
      await forget(id);
      whole.admit(id);
      const before = whole.log.appended.length;
      const answer = await line.post(heads.get(id) ?? [], body)
        .catch((error: unknown) => ({ status: 0, text: String(error) }));
      const stored = await Promise.all(whole.log.appended.slice(before).map(read));
      return { ...answer, stored };
    },
    close: async () => {
      line.close();
      await whole.close();
    },
  };
}

interface SealedFact {
  readonly type: SealedType;
  readonly tracking_number?: string;
  readonly device_id?: string;
  readonly client_id?: string;
  readonly transport_order_id?: string;
  readonly personal?: SealedPersonal;
}

/** Whose key a record is sealed with. */
function subjectOf(
  { type, tracking_number, device_id, client_id, transport_order_id, personal }: SealedFact,
  key: string,
): string | undefined {
  if (personal === undefined) return undefined;
  if (type === 'DeviceRegistered') return deviceSubject(device_id ?? key);
  if (type === 'AuthorizationAsked') return orderSubject(client_id ?? '', transport_order_id ?? key);
  return shipmentSubject(tracking_number ?? key);
}

/** A port whose calls go to whatever stands behind it just then. */
function forwarding<Port extends object>(current: () => Port): Port {
  return new Proxy({} as Port, { get: (_, name) => Reflect.get(current(), name) as unknown });
}

function headOf(id: string): readonly string[] {
  const { method, path } = exampleCall(id);
  return [
    `${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json',
    `Authorization: ${id === 'issue-token' ? BASIC : `Bearer ${EDGE_TOKEN}`}`,
  ];
}
