import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { isFields, isText, parseFields, type Fields } from '../../kernel/json-fields.ts';
import type { FactKind, FactOwner, Viewer } from './scope.ts';

type Output = keyof typeof TOPICS;

/** What a record must have to be a fact of a feed. */
export interface FactSource {
  readonly topic: string;
  readonly value: { toString(encoding: 'utf8'): string };
  readonly headers: Readonly<Record<string, string>>;
}

/** What a fact says, by who reads it, and whose it is. */
export interface FactContents extends FactOwner {
  readonly says: Fields;
  /** What the platform and operators read besides. */
  readonly saysToPlatform?: Fields;
  /** What only operators read besides. */
  readonly saysToOperators?: Fields;
}

/** How the records of one topic become facts. */
interface FactTopic {
  readonly kind: FactKind;
  readonly side: FactOwner['side'];
  /** Members of the value that are shown; without any only headers are read. */
  readonly members: readonly string[];
}

const RECEIPT = { kind: 'receipt', side: 'rtt', members: [] } as const;

/**
 * The topics of the feed of facts, with what is shown of their records. What is not named is never
 * shown: neither what is sealed, nor bodies, nor whose number a shipment has.
 */
const FACTS: Readonly<Partial<Record<Output, FactTopic>>> = {
  deviceLifecycle: {
    kind: 'device', side: 'rtt',
    members: [
      'type', 'device_id', 'client_id', 'epoch', 'generation', 'transport_id', 'country_id',
      'at_ms',
    ],
  },
  journey: {
    kind: 'journey', side: 'tracking',
    members: [
      'type', 'tracking_number', 'client_id', 'ingest_id', 'source', 'code', 'carrier_code',
      'occurred_at', 'received_at_ms', 'outcome', 'rule', 'unmapped', 'lacks', 'status_before',
      'state',
    ],
  },
  providerCommands: {
    kind: 'command', side: 'rtt',
    members: [
      'type', 'command_id', 'provider', 'command_key', 'country_id', 'corrects', 'expires_at_ms',
      'at_ms',
    ],
  },
  providerCommandResults: {
    kind: 'command', side: 'rtt',
    members: [
      'type', 'command_id', 'provider', 'command_key', 'attempt', 'outcome', 'status', 'reason',
      'next_attempt_at_ms', 'cancelled_by', 'at_ms',
    ],
  },
  deadLetters: {
    kind: 'dead_letter', side: 'other', members: ['stage', 'code', 'at_ms'],
  },
  locations: RECEIPT,
  telemetryEvents: RECEIPT,
  deferredEvents: RECEIPT,
  deliveryLocations: RECEIPT,
  notifications: { ...RECEIPT, side: 'tracking' },
};

const BY_TOPIC: ReadonlyMap<string, FactTopic> = new Map(
  Object.entries(FACTS).map(([output, row]) => [TOPICS[output as Output].name, row]),
);

/**
 * How a shipment stands: not shown to a carrier whose notification was kept apart, because the
 * shipment is another's.
 */
const OF_THE_SHIPMENT = ['state', 'status_before'];

/** Of a dead letter, what only operators read: it may quote what was sent. */
const OPERATORS_READ = ['worker', 'detail', 'code_version'];

/** The kind of the facts that a topic holds; undefined for a topic of which none are shown. */
export function factKindOf(topic: string): FactKind | undefined {
  return BY_TOPIC.get(topic)?.kind;
}

/** The names of the topics whose records are facts of these kinds. */
export function topicsOf(kinds: readonly FactKind[]): readonly string[] {
  return [...BY_TOPIC].filter(([, { kind }]) => kinds.includes(kind)).map(([name]) => name);
}

/** What a record says to the callers that may follow it; undefined for one that cannot be read. */
export function readFact(source: FactSource): FactContents | undefined {
  const row = BY_TOPIC.get(source.topic);
  if (row === undefined) return undefined;
  const { kind, side } = row;
  const { client, provider } = source.headers;
  if (kind === 'receipt') {
    return { kind, side, clientId: client, provider, says: receiptOf(source) };
  }
  const value = parseFields(source.value);
  if (value === undefined) return undefined;
  if (kind === 'dead_letter') return deadLetterOf(value, row);
  const own = kind === 'command' ? client : value['client_id'];
  const says = pick(value, row.members);
  return {
    kind, side, clientId: textOf(own), provider: textOf(value['provider']),
    ...(kind === 'journey' && value['carrier'] !== own
      ? { says: without(says, OF_THE_SHIPMENT), saysToPlatform: says }
      : { says }),
  };
}

/** What this caller reads of a fact that it may follow. */
export function saidTo(viewer: Viewer['kind'], fact: FactContents): Fields {
  if (viewer === 'client' || viewer === 'carrier') return fact.says;
  const { says, saysToPlatform, saysToOperators } = fact;
  return { ...says, ...saysToPlatform, ...(viewer === 'operator' ? saysToOperators : {}) };
}

/** That a call is in the log: what its sender knows it by, and how many items it has. */
function receiptOf({ headers }: FactSource): Fields {
  const { client, provider, source } = headers;
  return {
    ...(headers['ingest-id'] === undefined ? {} : { ingest_id: headers['ingest-id'] }),
    ...(client === undefined ? {} : { client_id: client }),
    ...(provider === undefined ? {} : { provider }),
    ...(source === undefined ? {} : { source }),
    items: Number(headers['n'] ?? 1),
    received_at_ms: Number(headers['received-at'] ?? 0),
  };
}

/** Its owner is that of the record which it is about. */
function deadLetterOf(value: Fields, { kind, members }: FactTopic): FactContents | undefined {
  const { origin, headers } = value;
  if (!isFields(origin) || !isFields(headers)) return undefined;
  const topic = textOf(origin['topic']);
  return {
    kind,
    side: BY_TOPIC.get(topic ?? '')?.side ?? 'other',
    clientId: textOf(headers['client']),
    provider: textOf(headers['provider']),
    says: {
      ...pick(value, members),
      origin: pick(origin, ['topic', 'topic_id', 'partition', 'offset']),
      ...pick({ ingest_id: headers['ingest-id'] }, ['ingest_id']),
    },
    saysToOperators: pick(value, OPERATORS_READ),
  };
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (
    fields[name] === undefined ? [] : [[name, fields[name]]]
  )));
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}
