import type { Clock } from '../../kernel/clock.ts';
import { Unavailable, isUnavailable } from '../../kernel/unavailable.ts';
import type { LogRecord } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import { openRegistryClient, type FoundSchema, type JsonSchema } from './client.ts';
import type { RegistryConfig } from './config.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import { knowsMembersOf, ownForm } from './own-form.ts';

/** The schema of a topic's records. */
export interface TopicSchema {
  readonly topic: string;
  readonly subject: string;
  readonly schema: JsonSchema;
}

/** What is wrong with a record, or nothing. `faults` are JSON pointers into its value. */
export type Inspection =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    readonly code: 'undecodable' | 'schema_unknown' | 'record_invalid';
    readonly faults: readonly string[];
  };

/** Ids of schemas, and schemas of ids. What is known once is never asked again. */
export interface RecordSchemas {
  /**
   * Registers the schemas and keeps their ids; waits for the registry until `deadlineMs` (a `Clock`
   * time), then rejects with `Unavailable` `registry_unavailable`. A schema that old records would
   * not follow rejects at once. Safe to repeat and to run in many processes.
   */
  register(schemas: readonly TopicSchema[], deadlineMs: number): Promise<void>;
  /** From memory: a running process goes on when the registry is down. Throws when unknown. */
  schemaIdOf(topic: string): number;
  /**
   * Whether a record follows the schema that it names. Rejects with `Unavailable`
   * `registry_unavailable` when the schema is not known here and the registry does not answer:
   * never a verdict by outage.
   */
  inspect(record: LogRecord): Promise<Inspection>;
  /**
   * From memory: whether records of this topic and schema are in the form that this process
   * registered. Those of an older schema are too, once {@link RecordSchemas.read} has seen it.
   */
  isOwn(topic: string, schemaId: number): boolean;
  /**
   * A record in the form of our own schema of its topic: read by the schema that wrote it, without
   * the members that ours does not know. Rejects as {@link RecordSchemas.inspect} does.
   */
  read(record: LogRecord): Promise<
    { readonly ok: true; readonly record: LogRecord } | Extract<Inspection, { readonly ok: false }>
  >;
}

const BOOT_WAIT_MS = 200;
const KNOWN_SCHEMAS_MAX = 1_000;

/** Opens the schemas of the log. Asks the registry only when a call needs it. */
export function openRecordSchemas(
  config: RegistryConfig,
  ports: { readonly clock: Clock; readonly signals: Signals },
): RecordSchemas {
  const { clock, signals } = ports;
  const client = openRegistryClient(config);
  const idByTopic = new Map<string, number>();
  const known = new Map<number, FoundSchema>();
  /** Ids by topic whose records are read as they are: our own, and those that ours covers. */
  const readable = new Map<string, Set<number>>();
  /** Topics and ids of which ours does not know every member. */
  const larger = new Set<string>();
  const ownSchemas = new Map<string, JsonSchema>();

  async function register(schemas: readonly TopicSchema[], deadlineMs: number): Promise<void> {
    for (const { topic, subject, schema } of schemas) {
      const id = await untilThere(deadlineMs, () => client.register(subject, schema));
      idByTopic.set(topic, id);
      ownSchemas.set(topic, schema);
      readable.set(topic, new Set([id]));
      signals.schemaRegistered({ subject, schema_id: id });
    }
  }

  async function untilThere<T>(deadlineMs: number, action: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await action();
      } catch (error) {
        if (!isUnavailable(error) || clock.nowMs() + BOOT_WAIT_MS >= deadlineMs) throw error;
        if (attempt === 0) signals.registryAwaited({ url: config.url });
      }
      await new Promise((resolve) => { setTimeout(resolve, BOOT_WAIT_MS); });
    }
  }

  function schemaIdOf(topic: string): number {
    const id = idByTopic.get(topic);
    if (id === undefined) throw new RangeError(`the schema of ${topic} was not registered at boot`);
    return id;
  }

  async function find(schemaId: number): Promise<FoundSchema | undefined> {
    const found = known.get(schemaId);
    if (found !== undefined) return found;
    const asked = await client.find(schemaId, 'consume');
    if (asked === undefined) return undefined;
    if (known.size >= KNOWN_SCHEMAS_MAX) {
      throw new Unavailable('internal', 'consume', `more than ${KNOWN_SCHEMAS_MAX} schemas`);
    }
    known.set(schemaId, asked);
    return asked;
  }

  async function inspect(record: LogRecord): Promise<Inspection> {
    const found = await find(record.schemaId);
    if (found === undefined) return { ok: false, code: 'schema_unknown', faults: [] };
    let value: unknown;
    try {
      value = JSON.parse(record.value.toString('utf8'));
    } catch {
      return { ok: false, code: 'undecodable', faults: [] };
    }
    const faults = found.check(value);
    if (faults.length > 0) return { ok: false, code: 'record_invalid', faults };
    return { ok: true, value };
  }

  async function read(record: LogRecord): ReturnType<RecordSchemas['read']> {
    const { topic, schemaId } = record;
    const own = ownSchemas.get(topic);
    const found = await find(schemaId);
    const pair = `${topic} ${schemaId}`;
    if (own !== undefined && found !== undefined && !larger.has(pair)) {
      if (knowsMembersOf(own, found.schema)) {
        readable.get(topic)?.add(schemaId);
        return { ok: true, record };
      }
      larger.add(pair);
    }
    const inspection = await inspect(record);
    if (!inspection.ok) return inspection;
    if (own === undefined || ownForm(own, inspection.value) === inspection.value) {
      return { ok: true, record };
    }
    const exact = parseExact(record.value.toString('utf8'));
    const value = Buffer.from(JSON.stringify(ownForm(own, exact)));
    return { ok: true, record: { ...record, value } };
  }

  return {
    register, schemaIdOf, inspect, read,
    isOwn: (topic, schemaId) => readable.get(topic)?.has(schemaId) === true,
  };
}
