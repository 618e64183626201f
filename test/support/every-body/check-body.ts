import { isWrittenNumber, parseExact } from '../../../services/kernel/exact-json.ts';
import type { BodyOutcome } from './edge.ts';
import { keepingFault } from './kept.ts';
import { tokensOf, tooLongNumberIn, withLongsAsText } from './tokens.ts';

/** Their records hold each number with the digits that it was sent with. */
const KEEPS_NUMBERS: ReadonlySet<string> = new Set(['push-notifications', 'authorize-shipment']);
/** They order what is done with records that are there, and here are none. */
const FINDS_NOTHING: ReadonlySet<string> = new Set(['replay-dead-letters']);
const SHOWN_MAX = 200;
// One byte order mark before the text is not part of it.
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * What is wrong with the outcome of a body; undefined when it was refused without a trace, or
 * accepted and is in the log as the contract promises. Knows nothing of how the product decides.
 */
export function problemOf(
  id: string, body: Buffer, { status, text, stored }: BodyOutcome,
): string | undefined {
  if (status >= 500 || status < 200) return `answered ${status}: ${shown(text)}`;
  if (!isJson(text)) return `answered ${status} with what is no JSON: ${shown(text)}`;
  const left = stored.length;
  if (status >= 300) return left === 0 ? undefined : `refused with ${status}, and left ${left} records`;
  if (left === 0 && !FINDS_NOTHING.has(id)) return `answered ${status} and left no record`;
  const json = textOf(body);
  if (json === undefined) return `answered ${status} to what is no UTF-8`;
  const inLog = withLongsAsText(json);
  const reading = readingFault(inLog);
  const meant = withoutNulls(KEEPS_NUMBERS.has(id) ? json : inLog);
  const fault = reading ?? (left === 0 ? undefined : keepingFault(id, meant, stored));
  return fault === undefined ? undefined : `answered ${status} ${fault}`;
}

/** What an accepted body must not be, because it has more than one reading. */
function readingFault(json: string): string | undefined {
  if (!isJson(json)) return 'to what is no JSON';
  const tooLong = tooLongNumberIn(json);
  if (tooLong !== undefined) return `though no double holds ${shown(tooLong)}`;
  const read = JSON.stringify(JSON.parse(json));
  return tokensOf(json).length === tokensOf(read).length ? undefined : 'to a name that stands twice';
}

/** The body that was meant: a member that is null is none. */
function withoutNulls(json: string): string {
  if (!json.includes('null')) return json;
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null || isWrittenNumber(value)) return value;
    const kept = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(kept.map(([name, member]) => [name, clean(member)]));
  };
  return JSON.stringify(clean(parseExact(json)));
}

function textOf(body: Buffer): string | undefined {
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** True for a text that is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shown(text: string): string {
  return text.slice(0, SHOWN_MAX);
}
