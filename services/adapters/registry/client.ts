import { Agent } from 'node:https';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Unavailable, type Stage } from '../../kernel/unavailable.ts';
import { completeSubject } from './compatibility.ts';
import type { RegistryConfig } from './config.ts';

/** A schema as an object; `$schema` is left out before it goes to the registry. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the JSON pointers where a value does not follow its schema. */
export type CheckValue = (value: unknown) => readonly string[];

/** A schema of the registry: what it says, and what it says of a value. */
export interface FoundSchema {
  readonly schema: JsonSchema;
  readonly check: CheckValue;
}

/** The registry refuses a schema: it is invalid, or old records would not follow it. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
}

/** The few questions that we ask the registry. */
export interface RegistryClient {
  /** Registers a schema (again) and answers its id; rejects with {@link SchemaRefused}. */
  register(subject: string, schema: JsonSchema): Promise<number>;
  /** The schema of an id, or undefined when the registry says that there is none. */
  find(schemaId: number, stage: Stage): Promise<FoundSchema | undefined>;
}

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const CONFLICT_STATUS = 409;
const REFUSED_STATUSES: readonly number[] = [CONFLICT_STATUS, 422];
const NOT_FOUND_STATUS = 404;
/** The client exports none of its classes of errors. */
const OTHER_RULE = 'ConfluentSchemaRegistryCompatibilityError';
const FAULTS_LISTED_MAX = 20;

/**
 * Opens the registry by the client that Kafka's users know. Its own retries are off, so that how
 * long to wait is decided in one place.
 */
export function openRegistryClient(config: RegistryConfig): RegistryClient {
  const registry = new SchemaRegistry(
    {
      host: config.url.replace(/\/+$/, ''),
      clientId: config.clientId,
      retry: { retries: 0 },
      ...(config.login === undefined ? {} : { auth: config.login }),
      ...(config.tls === undefined ? {} : { agent: new Agent({ ...config.tls }) }),
      // The client has no time-out of its own.
      middlewares: [() => ({
        prepareRequest: async (next) => (await next()).enhance({ timeout: config.requestMsMax }),
      })],
    },
    { [SchemaType.JSON]: { ajvInstance: { addSchema: ignore, compile: justKept } } },
  );

  async function register(subject: string, schema: JsonSchema): Promise<number> {
    const attempt = (): Promise<{ id: number }> => registry.register(
      { type: SchemaType.JSON, schema: JSON.stringify(registeredForm(schema)) },
      { subject, compatibility: COMPATIBILITY.BACKWARD },
    );
    try {
      // Of processes that make a subject at once, the slower hear "conflict" about its rule, which
      // is there by then. A schema that is refused is refused again.
      const { id } = await attempt().catch(async (error: unknown) => {
        if (statusOf(error) === CONFLICT_STATUS) return attempt();
        if (isOtherRule(error) && await completeSubject(config, subject)) return attempt();
        throw error;
      });
      return id;
    } catch (error) {
      const status = statusOf(error);
      if (status !== undefined && REFUSED_STATUSES.includes(status)) {
        throw new SchemaRefused(`The registry refuses the schema of ${subject}.`, { cause: error });
      }
      if (isOtherRule(error)) {
        throw new SchemaRefused(`${subject} has a rule of its own.`, { cause: error });
      }
      throw unavailable('boot', error);
    }
  }

  async function find(schemaId: number, stage: Stage): Promise<FoundSchema | undefined> {
    try {
      const schema = keptIn(await registry.getSchema(schemaId));
      return { schema, check: checkOf(schema) };
    } catch (error) {
      if (statusOf(error) === NOT_FOUND_STATUS) return undefined;
      throw unavailable(stage, error);
    }
  }

  return { register, find };
}

/**
 * The form in which the registry can compare versions: with `$schema` 2020-12 it answers 500 to
 * every comparison, and a choice is comparable only as draft-07 with nothing beside it.
 */
function registeredForm(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...body } = schema;
  if (body['oneOf'] === undefined) return body;
  return { $schema: DRAFT_7, title: body['title'], oneOf: body['oneOf'] };
}

/** A fresh instance for each schema, because one refuses to see the same `$id` twice. */
function checkOf(schema: JsonSchema): CheckValue {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? [])
    .slice(0, FAULTS_LISTED_MAX).map(({ instancePath }) => instancePath));
}

const unchecking = new Ajv2020({ strict: false, validateSchema: false });

/**
 * What the client keeps of a schema: one that takes everything, with the schema as its default. It
 * would have each one that we register compiled, for checks that are never asked of it.
 */
function justKept({ $schema: _dialect, ...schema }: JsonSchema): ReturnType<Ajv2020['compile']> {
  return unchecking.compile({ default: schema });
}

function keptIn(found: object): JsonSchema {
  const { schema } = Reflect.get(found, 'validate') as { schema: { default: JsonSchema } };
  return schema.default;
}

function ignore(): never {
  throw new Error('schemas are bundled: they refer to no other schema of the registry');
}

/** The HTTP status; beware that the client reports a connection that failed as 400. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/** Whether the subject compares versions by another rule than ours, or by none yet. */
function isOtherRule(error: unknown): boolean {
  return error instanceof Error && error.name === OTHER_RULE;
}

function unavailable(stage: Stage, cause: unknown): Unavailable {
  const status = statusOf(cause) ?? 'none';
  const why = cause instanceof Error ? cause.message : 'no answer';
  return new Unavailable('registry_unavailable', stage, `status ${status}: ${why}`, cause);
}
