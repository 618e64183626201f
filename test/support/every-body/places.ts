import { bundleOf } from '../../../schemas/bundles.ts';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { exampleCall } from '../documented-answers.ts';

/** A way from the root of a body to one value. */
export type JsonPath = readonly (string | number)[];

type Schema = Readonly<Record<string, unknown>>;

/** A value that no body holds otherwise; the text is put in its place. */
const MARK = 'the-place-of-the-text';
const DEPTH_MAX = 12;

/** Every place where the schema of an operation's body allows a string, each once. */
export function stringPlaces(id: string): readonly JsonPath[] {
  const name = OPERATIONS[id as keyof typeof OPERATIONS].request?.schema ?? '';
  const schema: Schema = bundleOf(name);
  const found = new Map<string, JsonPath>();
  walk(schema, schema, [], found);
  return [...found.values()];
}

function walk(schema: Schema, root: Schema, at: JsonPath, found: Map<string, JsonPath>): void {
  if (at.length > DEPTH_MAX) return;
  const reference = schema['$ref'];
  if (typeof reference === 'string') return walk(resolve(root, reference), root, at, found);
  const types = [schema['type']].flat();
  if (types.includes('string') && schema['const'] === undefined) found.set(at.join('/'), at);
  for (const [name, member] of Object.entries(objectAt(schema, 'properties'))) {
    if (isSchema(member)) walk(member, root, [...at, name], found);
  }
  const { items } = schema;
  if (isSchema(items)) walk(items, root, [...at, 0], found);
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[word];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches as unknown[]) {
      if (isSchema(branch)) walk(branch, root, at, found);
    }
  }
  for (const word of ['then', 'else', 'if', 'additionalProperties']) {
    const next = schema[word];
    const deeper = word === 'additionalProperties' ? [...at, 'any'] : at;
    if (isSchema(next)) walk(next, root, deeper, found);
  }
}

function resolve(root: Schema, reference: string): Schema {
  const names = reference.replace(/^#\/?/, '').split('/').filter((name) => name !== '');
  let here: unknown = root;
  for (const name of names) here = (here as Schema | undefined)?.[name];
  return isSchema(here) ? here : {};
}

function objectAt(schema: Schema, name: string): Schema {
  const found = schema[name];
  return isSchema(found) ? found : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The example body of an operation with a JSON text at a place, which is made where it lacks. */
export function bodyWith(id: string, place: JsonPath, text: string): string {
  const body = structuredClone(exampleCall(id).body);
  const root = { body };
  let here = root as Record<string | number, unknown>;
  let name: string | number = 'body';
  for (const next of place) {
    const inside = here[name];
    const isFitting = typeof inside === 'object' && inside !== null
      && Array.isArray(inside) === (typeof next === 'number');
    if (!isFitting) here[name] = typeof next === 'number' ? [] : {};
    here = here[name] as Record<string | number, unknown>;
    name = next;
  }
  here[name] = MARK;
  return JSON.stringify(root.body).replace(JSON.stringify(MARK), () => text);
}
