import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { OperationsPorts } from '../../../services/gateways/assemble-operations.ts';
import type { PlacedMove } from '../../../services/kernel/authorizations.ts';
import {
  deviceSubject, orderSubject, shipmentSubject, type PersonalSeals, type SealedPersonal,
  type SealedType,
} from '../../../services/kernel/personal.ts';
import { anAsk, aTry } from '../authorization-facts.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../command-facts.ts';
import { exampleCall } from '../documented-answers.ts';
import { dryRunOf, realOf } from '../dry-runs.ts';
import { EDGE_TOKEN } from '../edge.ts';
import { aFlood } from '../fake-overflow.ts';
import type { FakeAppend } from '../fake-log.ts';
import { CALLER, CALLER_SECRET, openWholeEdge, type ChangeParts } from '../whole-edge.ts';
import { openLine } from './line.ts';

/** The operations of the gateways that take a JSON body. */
export const BODY_OPERATIONS: readonly string[] = Object.values(OPERATIONS)
  .filter(({ id, request: asked }) => (
    asked?.content_type === 'application/json' && id !== 'provider-command' && realOf(id) === id
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
  /** Puts in place what an operation speaks of, and takes away what calls before made. */
  prepare(id: string): Promise<void>;
  /** Sends a body as things stand. */
  try(id: string, body: Buffer): Promise<BodyOutcome>;
  /** Prepares and sends. */
  send(id: string, body: Buffer): Promise<BodyOutcome>;
  /** Lines that the server wrote since it was opened. */
  readonly lines: readonly string[];
  /** Everything that the state store has, to compare two moments. */
  known(): string;
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
  let personal: PersonalSeals | undefined;
  let placed: PlacedMove | undefined;
  const whole = await openWholeEdge(PATIENT, (parts) => {
    ({ personal } = parts);
    return spoil({
      ...parts,
      states: unlimited(parts.states),
      over(store, log) {
        const { states = parts.states, ...rest } = parts.over(store, log);
        return { ...rest, states: unlimited(states) };
      },
    });
  });
  const { store, authorizations, authorizationCalls } = whole.states;
  await whole.commands.parties.apply(aParty());
  await whole.commands.parties.apply(aParty({ party_id: CARRIER, kind: 'carrier' }));
  whole.overflowSource.add(aFlood('acme'));
  await whole.commands.commands.applyCommands(
    placedCommands([aTelemetryRequest('cmVxdWVzdC0x', 987_654)]),
  );
  const line = openLine(whole.edge.port);
  const heads = new Map(
    [...BODY_OPERATIONS, ...BODY_OPERATIONS.map(dryRunOf)].map((id) => [id, headOf(id)]),
  );

  /** An order or a device is decided once: each body meets a store that knows neither. */
  async function forget(id: string): Promise<void> {
    if (id === 'decide-overflow') whole.overflowSource.forget();
    if (id === 'register-device') store.forget(['device', 'entity']);
    if (id === 'resend-authorization') {
      store.forget(['authorization-call', 'authorization-calls', 'authorization-calls-due']);
      await authorizationCalls.apply([ASK, aTry(ASK, 1, { outcome: 'parked', reason: 'refused' })]);
    }
    if (!ORDERS.has(id)) return;
    store.forget(['authorization', 'cancellation']);
    if (id !== 'cancel-shipment') return;
    const fact = await authorized();
    store.forget(['authorization', 'cancellation']);
    await authorizations.apply([fact]);
  }

  /** What there is to cancel. */
  async function authorized(): Promise<PlacedMove> {
    if (placed !== undefined) return placed;
    whole.admit('authorize-shipment');
    const body = Buffer.from(JSON.stringify(exampleCall('authorize-shipment').body));
    await line.post(heads.get('authorize-shipment') ?? [], body);
    const event = whole.log.appended.at(-1)?.value as PlacedMove['event'];
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

  async function send(id: string, body: Buffer): Promise<BodyOutcome> {
    whole.admit(id);
    const before = whole.log.appended.length;
    const answer = await line.post(heads.get(id) ?? [], body)
      .catch((error: unknown) => ({ status: 0, text: String(error) }));
    const stored = await Promise.all(whole.log.appended.slice(before).map(read));
    return { ...answer, stored };
  }

  return {
    lines: whole.edge.lines,
    known: () => JSON.stringify(store.dump()),
    prepare: forget,
    try: send,
    async send(id, body) {
      await forget(id);
      return send(id, body);
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

function unlimited(states: OperationsPorts['states']): OperationsPorts['states'] {
  return {
    ...states,
    access: {
      ...states.access,
      chargeTokenRequest: async () => UNLIMITED, chargeProvenClient: async () => UNLIMITED,
    },
  };
}

function headOf(id: string): readonly string[] {
  const { method, path } = exampleCall(id);
  return [
    `${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json',
    `Authorization: ${realOf(id) === 'issue-token' ? BASIC : `Bearer ${EDGE_TOKEN}`}`,
  ];
}
