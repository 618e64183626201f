import type { ScannerModule } from './module.ts';

/** A JSON schema in the words that the scanner knows; any other word stops the boot. */
export type ScannedSchema = Readonly<Record<string, unknown>>;

/** Members of the body itself that the scanner reports: a text in ASCII, the size of a list. */
export interface Reported {
  readonly text: string;
  readonly list: string;
}

const ANNOTATIONS = ['type', 'title', 'description', 'examples', '$schema', '$id'];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  string: ['minLength', 'maxLength', 'pattern'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'not'],
};
const ALPHABETIC = /^\^\[A-Za-z\]\{([1-9]),([1-9])\}\$$/;
const NAME = /^[\w-]+$/;
const MEMBERS_MAX = 31;
const NO_LIMIT = 0x7fff_ffff;

/**
 * The schema of a body as the tables that the scanner reads (`source/layout.as`). Throws for a word
 * that the scanner does not know: what it cannot check, it must not be given.
 */
export function tablesOf(
  module: ScannerModule, schema: ScannedSchema, reported: Reported,
): Uint8Array {
  const { constant } = module;
  const bytes = new Uint8Array(constant('TABLES_BYTES_MAX'));
  const view = new DataView(bytes.buffer);
  const start = constant('TABLES');
  let used = 0;

  const take = (lengthBytes: number): number => {
    const at = used;
    used += lengthBytes;
    if (used > bytes.length) throw new Error('The schema is too large for the scanner.');
    return at;
  };
  const integers = (at: number, ...values: readonly number[]): void => {
    values.forEach((value, index) => view.setInt32(at + 4 * index, value, true));
  };

  /** Writes one node and everything below it; returns where it is in the module's memory. */
  function writeNode(node: ScannedSchema, isReported: boolean, depth: number): number {
    const at = take(constant('NODE_BYTES'));
    const type = typeOf(node, depth);
    const said = (name: string, otherwise: number): number => numberOf(node, name, otherwise);
    if (type === 'integer' || type === 'number') {
      const isLimited = node['minimum'] !== undefined || node['maximum'] !== undefined;
      integers(at, constant(type === 'integer' ? 'INTEGER' : 'NUMBER'), isLimited ? 1 : 0);
      view.setFloat64(at + 8, said('minimum', -Infinity), true);
      view.setFloat64(at + 16, said('maximum', Infinity), true);
    } else if (node['pattern'] !== undefined) {
      integers(at, constant('ALPHABETIC'), ...alphabeticOf(node));
    } else if (type === 'string') {
      const report = isReported ? 1 : 0;
      integers(at, constant('TEXT'), said('minLength', 0), said('maxLength', NO_LIMIT), report);
    } else if (type === 'boolean') {
      integers(at, constant('BOOLEAN'));
    } else if (type === 'array') {
      const item = writeNode(schemaOf(node['items']), false, depth + 1);
      const report = isReported ? 1 : 0;
      const limits = [said('minItems', 0), said('maxItems', NO_LIMIT)];
      integers(at, constant('LIST'), item, ...limits, report);
    } else {
      integers(at, constant('OBJECT'), ...writeMembers(node, depth));
    }
    return start + at;
  }

  /** Writes the members of an object; returns the rest of its node. */
  function writeMembers(node: ScannedSchema, depth: number): number[] {
    const size = constant('MEMBER_BYTES');
    const members = Object.entries(schemaOf(node['properties']));
    if (members.length === 0 || members.length > MEMBERS_MAX) {
      throw new Error(`The scanner takes 1 to ${MEMBERS_MAX} members of an object.`);
    }
    const first = take(size * members.length);
    const [begin, end] = [start + first, start + first + size * members.length];
    members.forEach(([name, member], index) => {
      const text = Buffer.from(`"${name}":`, 'latin1');
      if (!NAME.test(name) || text.length > constant('MEMBER_NAME_BYTES_MAX')) {
        throw new Error(`The scanner takes no member ${name}.`);
      }
      const isReported = depth === 0 && (name === reported.text || name === reported.list);
      const at = first + index * size;
      const value = writeNode(schemaOf(member), isReported, depth + 1);
      const guess = begin + ((index + 1) % members.length) * size;
      integers(at, value, 1 << index, text.length, guess, guess);
      bytes.set(text, at + constant('MEMBER_NAME'));
      const mask = at + constant('MEMBER_MASK');
      bytes.fill(0xff, mask, mask + text.length);
    });
    const names = members.map(([name]) => name);
    const required = listOf(node['required']).reduce((bits, name) => bits | bitOf(names, name), 0);
    checkNot(node, names);
    return [required, begin, end, begin, begin];
  }

  const root = writeNode(schema, false, 0);
  if (root !== start) throw new Error('The body must be the first node.');
  checkReported(schema, reported);
  return bytes.subarray(0, used);
}

function typeOf(node: ScannedSchema, depth: number): string {
  const type = String(node['type']);
  const words = WORDS[type];
  const known = [...words ?? [], ...ANNOTATIONS];
  const wrong = Object.keys(node).find((word) => !known.includes(word));
  if (words === undefined || wrong !== undefined || (depth === 0 && type !== 'object')) {
    const what = wrong ?? 'this type';
    throw new Error(`The scanner does not know ${what} of ${type} at depth ${depth}.`);
  }
  return type;
}

function numberOf(node: ScannedSchema, name: string, otherwise: number): number {
  const value = node[name] ?? otherwise;
  if (typeof value !== 'number') throw new Error(`${name} must be a number.`);
  return value;
}

function alphabeticOf(node: ScannedSchema): readonly [least: number, most: number] {
  const [, least, most] = ALPHABETIC.exec(String(node['pattern'])) ?? [];
  if (least === undefined || node['minLength'] !== undefined || node['maxLength'] !== undefined) {
    throw new Error(`The scanner does not know the pattern ${String(node['pattern'])}.`);
  }
  return [Number(least), Number(most)];
}

function bitOf(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index < 0) throw new Error(`The required member ${name} is not described.`);
  return 1 << index;
}

/** A name that is kept for the platform is refused anyway, as long as it is no member. */
function checkNot({ not }: ScannedSchema, names: readonly string[]): void {
  if (not === undefined) return;
  const forbidden = listOf(schemaOf(not)['required']);
  const isKnown = Object.keys(schemaOf(not)).every(
    (word) => ['type', 'required', 'properties'].includes(word),
  );
  if (!isKnown || forbidden.length !== 1 || names.includes(forbidden[0] ?? '')) {
    throw new Error('The scanner knows "not" only with one name that is no member.');
  }
}

function checkReported(schema: ScannedSchema, { text, list }: Reported): void {
  const members = schemaOf(schema['properties']);
  const required = listOf(schema['required']);
  const isThere = (name: string, type: string): boolean =>
    required.includes(name) && schemaOf(members[name])['type'] === type;
  if (!isThere(text, 'string') || !isThere(list, 'array')) {
    throw new Error(`The scanner can only report a required text and list, not ${text}, ${list}.`);
  }
}

function schemaOf(value: unknown): ScannedSchema {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('The scanner takes no schema that is not an object.');
  }
  return value as ScannedSchema;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
