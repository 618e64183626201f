/** A number that keeps the digits it was written with. */
interface WrittenNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, at: { source: string }) => unknown):
  unknown;
  rawJSON(text: string): WrittenNumber;
  isRawJSON(value: unknown): value is WrittenNumber;
}

// The types of the language do not know these yet; the runtime does (ECMAScript 2026).
const exactJson = JSON as unknown as ExactJson;

/**
 * Parses JSON so that writing it again keeps every number as it was written: a decimal that a
 * number cannot hold exactly becomes an object that `JSON.stringify` writes unchanged.
 */
export function parseExact(text: string): unknown {
  return exactJson.parse(text, (_key, value, at) => (
    typeof value === 'number' && String(value) !== at.source ? exactJson.rawJSON(at.source) : value
  ));
}

/** True for a number that {@link parseExact} kept as it was written: copy it, never look inside. */
export function isWrittenNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}

/**
 * The value without the members that are null, in every object of it: null of a field is its
 * absence (decisions.md, Null). An item of a list stays, so that no other changes its place.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null || exactJson.isRawJSON(value)) return value;
  return Object.fromEntries(Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => [name, withoutNulls(member)]));
}

/** True when {@link sortedJson} writes the value as `JSON.stringify` does: then once is enough. */
export function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSorted);
  if (typeof value !== 'object' || value === null || exactJson.isRawJSON(value)) return true;
  const names = Object.keys(value);
  const members = value as Readonly<Record<string, unknown>>;
  return names.every((name, at) => (
    (at === 0 || (names[at - 1] ?? '') < name) && isSorted(members[name])
  ));
}

/** JSON with the keys of every object in order, so that equal contents give equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || exactJson.isRawJSON(value)) return value;
  const names = Object.keys(value).sort();
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, sorted(members[name])]));
}

/**
 * The value of a body with a 1 wherever an integer that no number holds became a text of digits.
 * A schema then takes it for a Long and in a field that it does not know, and refuses it in a field
 * of text. The very same value where nothing became a text.
 */
export function withLongsAsNumbers(value: unknown, written: unknown): unknown {
  if (value === written) return value;
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const own = written as typeof members;
  let changed: Record<string, unknown> | undefined;
  for (const name in members) {
    const member = withLongsAsNumbers(members[name], own[name]);
    if (member === members[name]) continue;
    changed ??= (Array.isArray(value) ? value.slice() : { ...members }) as Record<string, unknown>;
    changed[name] = member;
  }
  return changed ?? value;
}
