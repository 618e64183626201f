/** The fields of a JSON object whose shape is not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The object in a record's value; undefined when it is no JSON object. Gateways validated the
 * value against its schema before; workers only make sure of what they use.
 */
export function parseFields(value: { toString(encoding: 'utf8'): string }): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(value.toString('utf8'));
    return isFields(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** True for a JSON object, not for a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** True for an integer that a number keeps exactly. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** True for a number that can be kept, so not for NaN or infinity. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The value at a JSON pointer below objects; undefined where it does not lead to one. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).reduce<unknown>((inner, name) => (
    isFields(inner) ? inner[name] : undefined
  ), value);
}

/** True when lists and objects are nested in each other more than `depth` times. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
