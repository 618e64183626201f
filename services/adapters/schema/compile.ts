import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FieldError, Refusal } from '../../kernel/http.ts';
import { LISTED_FAULTS_MAX } from '../../kernel/limits.ts';
import type { SchemaCheck, Schemas } from '../../kernel/schemas.ts';
import type { BundledSchema } from './bundled-schema.ts';
import { isDateTime } from '../../kernel/date-time.ts';
import type { RefusedBody } from './explain/refused-body.ts';
import { fieldError, pointerOf } from './explain/field-errors.ts';
import { reasonsIn } from './explain/reasons.ts';
import { withoutNoise } from './explain/without-noise.ts';
import { hasMoreNodes } from './nodes.ts';
import { checkOneOrMany, oneOrMany } from './one-or-many.ts';
import { safePattern } from './safe-pattern.ts';

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

/** Collects the faults of a part of a body, which is at the place `at` of the whole. */
type ExplainPart = (part: unknown, at: string, whole: unknown) => readonly FieldError[];

interface TopList {
  readonly name: string;
  readonly itemsMax: number;
  readonly explainItem: ExplainPart;
}

/** What every check is made with. */
interface Tools {
  /** Stops at the first error; every call goes through it. */
  readonly validator: Ajv2020;
  /** Stops at the first error, and only explains: what it makes is soon made. */
  readonly first: Ajv2020;
  /** Collects all errors. */
  readonly collector: Ajv2020;
  readonly config: SchemaConfig;
  readonly phraseOf: RefusedBody['phraseOf'];
}

/**
 * Compiles the schemas that are asked for, once each; asking at boot makes a broken one stop the
 * boot. Validation stops at the first error. Explaining collects all of them, item by item and
 * never more than may be listed, so that a hostile body costs no more than an honest one.
 */
export function compileSchemas(
  bundleOf: (title: string) => BundledSchema | undefined,
  config: SchemaConfig = SCHEMA_DEFAULTS,
  phraseOf: RefusedBody['phraseOf'] = () => undefined,
): Schemas {
  const tools = {
    validator: createAjv({}),
    first: createAjv(EXPLAINING),
    collector: createAjv({ ...EXPLAINING, allErrors: true }),
    config, phraseOf,
  };
  const checks = new Map<string, SchemaCheck>();
  return {
    checkOf(title) {
      const known = checks.get(title);
      if (known !== undefined) return known;
      const schema = bundleOf(title);
      if (schema === undefined) throw new Error(`There is no schema with the title ${title}.`);
      const check = createCheck(tools, schema);
      checks.set(title, check);
      return check;
    },
  };
}

/** How Ajv makes patterns; the name is for code that is written to a file, which ours is not. */
const PATTERNS = Object.assign(safePattern, { code: 'safePattern' });

/**
 * For code that only explains. Its schema was checked, and few calls come to it, so that passes
 * over the code would cost a start more than they save.
 */
const EXPLAINING = { validateSchema: false, optimize: false } as const;

/** Options are all written out: library defaults are no part of our correctness. */
function createAjv({ allErrors = false, validateSchema = true, optimize = true }: {
  readonly allErrors?: boolean; readonly validateSchema?: boolean; readonly optimize?: boolean;
}): Ajv2020 {
  return new Ajv2020({
    allErrors,
    validateSchema,
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
    code: { regExp: PATTERNS, optimize },
  });
}

function createCheck(tools: Tools, schema: BundledSchema): SchemaCheck {
  const parts = oneOrMany(schema);
  if (parts !== undefined) {
    return checkOneOrMany(createCheck(tools, parts.one), createCheck(tools, parts.many));
  }
  const { listedFaultsMax } = tools.config;
  const follows = tools.validator.compile(schema);
  const lists = topLists(tools, schema);
  const explainRest = explainer(tools, schema, lists);
  const reserved = reservedNames(schema);

  function refusalOf(value: unknown): Refusal {
    const faults = [...explainRest(value, '', value)];
    for (const { name, explainItem } of lists) {
      const items: unknown = (value as Readonly<Record<string, unknown>> | null)?.[name];
      if (!Array.isArray(items)) continue;
      for (let at = 0; at < items.length && faults.length <= listedFaultsMax; at += 1) {
        faults.push(...explainItem(items[at], `/${name}/${at}`, value));
      }
    }
    return validationRefusal(onePerPointer(faults, ({ pointer }) => pointer), listedFaultsMax);
  }

  return function check(value) {
    if (typeof value === 'object' && value !== null) {
      const name = reserved.find((candidate) => Object.hasOwn(value, candidate));
      if (name !== undefined) return () => reservedRefusal(name);
      const list = lists.find((candidate) => isOver(value, candidate));
      if (list !== undefined) return () => tooManyRefusal(list, value);
    }
    return follows(value) ? undefined : () => refusalOf(value);
  };
}

/**
 * Collects the faults of a value, without those of the items of `skipped`; of a hostile value only
 * the first. Only as many as may be listed, and one more, are put into words.
 */
function explainer(
  { first: stopping, collector, config, phraseOf }: Tools, schema: BundledSchema,
  skipped: readonly TopList[] = [],
): ExplainPart {
  const checked = withoutItems(schema, skipped);
  const first = stopping.compile(checked);
  const all = collector.compile(checked);
  return function explainPart(value, at, whole) {
    const counted = skipped.length === 0 ? value : without(value, skipped);
    const isHostile = hasMoreNodes(counted, config.explainedNodesMax);
    const validate: ValidateFunction = isHostile ? first : all;
    if (validate(value)) return [];
    const errors = (validate.errors ?? []).slice(0, config.explainedNodesMax);
    const reasonOf = reasonsIn(errors);
    return onePerPointer(withoutNoise(errors), (error) => pointerOf(error, at))
      .slice(0, config.listedFaultsMax + 1)
      .map((error) => fieldError(error, reasonOf, { whole, schema, at, phraseOf }));
  };
}

function topLists(tools: Tools, schema: BundledSchema): TopList[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const { items, maxItems } = property;
    if (typeof maxItems !== 'number' || !isSchema(items)) return [];
    return [{ name, itemsMax: maxItems, explainItem: explainer(tools, items) }];
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

function onePerPointer<Fault>(
  faults: readonly Fault[], pointerOf: (fault: Fault) => string,
): Fault[] {
  const pointers = new Set<string>();
  return faults.filter((fault) => {
    const pointer = pointerOf(fault);
    if (pointers.has(pointer)) return false;
    pointers.add(pointer);
    return true;
  });
}

function validationRefusal(faults: readonly FieldError[], listedFaultsMax: number): Refusal {
  const errors = faults.slice(0, listedFaultsMax);
  const [first] = errors;
  const more = faults.length > errors.length
    ? ` The list errors has the first ${listedFaultsMax} faults; there are more.` : '';
  const detail = first === undefined
    ? 'The body does not follow its schema.'
    : `${first.pointer === '' ? 'The body' : first.pointer} ${first.message}${more}`;
  return { code: 'validation_failed', detail, errors };
}

function reservedRefusal(name: string): Refusal {
  const message = `The name ${name} is reserved for the platform.`;
  const errors = [{ pointer: `/${name}`, code: 'reserved_name' as const, message }];
  return { code: 'reserved_name', detail: message, errors };
}

function tooManyRefusal({ name, itemsMax }: TopList, value: object): Refusal {
  const items = (value as Readonly<Record<string, readonly unknown[]>>)[name];
  const message = `must have at most ${itemsMax} items, and has ${items?.length ?? 0}.`;
  const errors = [{ pointer: `/${name}`, code: 'max_items' as const, message }];
  return { code: 'payload_too_large', detail: `/${name} ${message}`, errors };
}
