/** What a reviver gets beside a value: the text that it was read from. */
interface Read {
  readonly source?: string;
}

/** A whole number with more digits than JavaScript keeps of one. */
const LONG = /(?<![.\d])\d{16,}/;
const DIGITS = /^-?\d+$/;

/**
 * Reads JSON as `JSON.parse` does, but an integer that is no safe one is the text of its digits:
 * ids of transports have up to 19. Throws `SyntaxError`.
 */
export function parseExact(text: string): unknown {
  // A reviver sees each value, which long lists need not pay for.
  if (!LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, { source = '' }: Read = {}) => (
    isLong(value) && DIGITS.test(source) ? source : value));
}

function isLong(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
