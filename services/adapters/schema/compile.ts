import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldError, Refusal } from '../../kernel/http.ts';
import { LISTED_FAULTS_MAX } from '../../kernel/limits.ts';
import type { SchemaCheck, Schemas } from '../../kernel/schemas.ts';
import type { BundledSchema } from './bundled-schema.ts';
import { isDateTime } from '../../kernel/date-time.ts';
import { fieldError } from './field-errors.ts';
import { hasMoreNodes } from './nodes.ts';
import { checkOneOrMany, oneOrMany } from './one-or-many.ts';

/** Limits of explaining. */
export interface SchemaConfig {
  readonly listedFaultsMax: number;
  /** A part of a body with more members and items is explained by its first fault only. */
  readonly explainedNodesMax: number;
}

/** What decisions.md asks for, and a bound that any honest location keeps ten times over. */
export const SCHEMA_DEFAULTS: SchemaConfig = {
  listedFaultsMax: LISTED_FAULTS_MAX, explainedNodesMax: 2_000,
};

interface TopList {
  readonly name: string;
  readonly itemsMax: number;
  readonly explainItem: (item: unknown, at: string) => readonly FieldError[];
}

/**
 * Compiles the schemas that are asked for, once each; asking at boot makes a broken one stop the
 * boot. Validation stops at the first error. Explaining collects all of them, item by item and
 * never more than may be listed, so that a hostile body costs no more than an honest one.
 */
export function compileSchemas(
  bundleOf: (title: string) => BundledSchema | undefined,
  config: SchemaConfig = SCHEMA_DEFAULTS,
): Schemas {
  const validator = createAjv(false);
  const explain = createAjv(true);
  const checks = new Map<string, SchemaCheck>();
  return {
    checkOf(title) {
      const known = checks.get(title);
      if (known !== undefined) return known;
      const schema = bundleOf(title);
      if (schema === undefined) throw new Error(`There is no schema with the title ${title}.`);
      const check = createCheck(validator, explain, schema, config);
      checks.set(title, check);
      return check;
    },
  };
}

/** Options are all written out: library defaults are no part of our correctness. */
function createAjv(allErrors: boolean): Ajv2020 {
  return new Ajv2020({
    allErrors,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    $data: false,
    verbose: true,
    ownProperties: true,
    validateFormats: true,
    formats: { 'date-time': isDateTime, 'uri-reference': true, 'int64': true },
    logger: false,
  });
}

function createCheck(
  validator: Ajv2020, explain: Ajv2020, schema: BundledSchema, config: SchemaConfig,
): SchemaCheck {
  const parts = oneOrMany(schema);
  if (parts !== undefined) {
    return checkOneOrMany(
      createCheck(validator, explain, parts.one, config),
      createCheck(validator, explain, parts.many, config),
    );
  }
  const follows = validator.compile(schema);
  const lists = topLists(validator, explain, schema, config);
  const explainRest = explainer(validator, explain, withoutItems(schema, lists), config, lists);
  const reserved = reservedNames(schema);

  function refusalOf(value: unknown): Refusal {
    const faults = [...explainRest(value, '')];
    for (const { name, explainItem } of lists) {
      const items: unknown = (value as Readonly<Record<string, unknown>> | null)?.[name];
      if (!Array.isArray(items)) continue;
      for (let at = 0; at < items.length && faults.length < config.listedFaultsMax; at += 1) {
        faults.push(...explainItem(items[at], `/${name}/${at}`));
      }
    }
    return validationRefusal(onePerPointer(faults).slice(0, config.listedFaultsMax));
  }

  return function check(value) {
    if (typeof value === 'object' && value !== null) {
      const name = reserved.find((candidate) => Object.hasOwn(value, candidate));
      if (name !== undefined) return () => reservedRefusal(name);
      const list = lists.find((candidate) => isOver(value, candidate));
      if (list !== undefined) return () => tooManyRefusal(list);
    }
    return follows(value) ? undefined : () => refusalOf(value);
  };
}

/** Collects the faults of a value; of a hostile one only the first. */
function explainer(
  validator: Ajv2020, explain: Ajv2020, schema: BundledSchema, config: SchemaConfig,
  skipped: readonly TopList[] = [],
): TopList['explainItem'] {
  const first = validator.compile(schema);
  const all = explain.compile(schema);
  return function explainValue(value, at) {
    const counted = skipped.length === 0 ? value : without(value, skipped);
    const isHostile = hasMoreNodes(counted, config.explainedNodesMax);
    const validate: ValidateFunction = isHostile ? first : all;
    if (validate(value)) return [];
    const errors = withoutNoise(validate.errors ?? []);
    return errors.slice(0, config.explainedNodesMax).map((error) => fieldError(error, at));
  };
}

/** `if` only says that the branch beside it failed, at a useless path. */
function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const precise = errors.filter(({ keyword }) => keyword !== 'if');
  return precise.length === 0 ? errors : precise;
}

function topLists(
  validator: Ajv2020, explain: Ajv2020, schema: BundledSchema, config: SchemaConfig,
): TopList[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const { items, maxItems } = property;
    if (typeof maxItems !== 'number' || !isSchema(items)) return [];
    const explainItem = explainer(validator, explain, items, config);
    return [{ name, itemsMax: maxItems, explainItem }];
  });
}

function withoutItems(schema: BundledSchema, lists: readonly TopList[]): BundledSchema {
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    if (!lists.some((list) => list.name === name)) return [name, property];
    const { items: _, ...rest } = property;
    return [name, rest];
  });
  if (properties.length === 0) return schema;
  return { ...schema, properties: Object.fromEntries(properties) as unknown };
}

function without(value: unknown, lists: readonly TopList[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set(lists.map(({ name }) => name));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

function isOver(value: object, { name, itemsMax }: TopList): boolean {
  const items: unknown = (value as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(items) && items.length > itemsMax;
}

/** Names that the schema keeps for the platform: `not: {required: ['m']}`. */
function reservedNames({ not }: BundledSchema): readonly string[] {
  const names: unknown = isSchema(not) ? not['required'] : undefined;
  return Array.isArray(names) && names.length === 1 ? names.map(String) : [];
}

function propertiesOf({ properties }: BundledSchema): Readonly<Record<string, BundledSchema>> {
  return isSchema(properties) ? properties as Readonly<Record<string, BundledSchema>> : {};
}

function isSchema(value: unknown): value is BundledSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function onePerPointer(faults: readonly FieldError[]): FieldError[] {
  const pointers = new Set<string>();
  return faults.filter(({ pointer }) => {
    if (pointers.has(pointer)) return false;
    pointers.add(pointer);
    return true;
  });
}

function validationRefusal(errors: readonly FieldError[]): Refusal {
  const [first] = errors;
  const detail = first === undefined
    ? 'The body does not follow its schema.'
    : `${first.pointer === '' ? 'The body' : first.pointer} ${first.message}`;
  return { code: 'validation_failed', detail, errors };
}

function reservedRefusal(name: string): Refusal {
  const message = `The name ${name} is reserved for the platform.`;
  const errors = [{ pointer: `/${name}`, code: 'reserved_name' as const, message }];
  return { code: 'reserved_name', detail: message, errors };
}

function tooManyRefusal({ name, itemsMax }: TopList): Refusal {
  const message = `must have at most ${itemsMax} items.`;
  const errors = [{ pointer: `/${name}`, code: 'max_items' as const, message }];
  return { code: 'payload_too_large', detail: `/${name} ${message}`, errors };
}
