/** An integer of 64 bits: a number where that is exact, else its digits. */
export type Long = number | string;

interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, at: { source: string }) => unknown):
  unknown;
  rawJSON(text: string): object;
}

// The types of the language do not know these yet; the runtime does (ECMAScript 2026).
const exactJson = JSON as unknown as ExactJson;

/** Parses JSON; an integer that no number holds exactly becomes the text of its digits. */
export function parseLongs(text: string): unknown {
  return exactJson.parse(text, (_key, value, at) => (
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? at.source : value
  ));
}

/** The one form of a Long, however it was sent: equal ids are equal values. */
export function longOf(sent: Long): Long {
  const number = Number(sent);
  // Adding zero makes a zero of minus zero.
  return Number.isSafeInteger(number) ? number + 0 : String(sent);
}

/**
 * A Long as `JSON.stringify` writes it as a number, whatever its size: where the interface says
 * Number. Its type is that of a number, because that is what the reader gets; do not calculate.
 */
export function writtenLong(long: Long): number {
  const own = longOf(long);
  return typeof own === 'number' ? own : exactJson.rawJSON(own) as unknown as number;
}
