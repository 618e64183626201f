import { isDeepStrictEqual } from 'node:util';
import type { KitReply } from './talk.ts';

const SHOWN_MAX = 120;

/** Finds fault when the answer has none of the wanted status codes. */
export function status(reply: KitReply, ...wanted: readonly number[]): string | undefined {
  if (wanted.includes(reply.status)) return undefined;
  const body = reply.text === '' ? '' : `: ${reply.text.slice(0, SHOWN_MAX)}`;
  return `${reply.what} answered ${reply.status}, not ${wanted.join(' or ')}${body}`;
}

/** Finds fault when two values differ; objects are compared member by member. */
export function equal(what: string, actual: unknown, wanted: unknown): string | undefined {
  if (isDeepStrictEqual(actual, wanted)) return undefined;
  return `${what} is ${shown(actual)}, not ${shown(wanted)}`;
}

/** Finds fault when two values are the same. */
export function different(what: string, one: unknown, other: unknown): string | undefined {
  return isDeepStrictEqual(one, other) ? `${what} is ${shown(one)} both times` : undefined;
}

/** Finds fault when a member of the body is not as wanted. */
export function member(reply: KitReply, pointer: string, wanted: unknown): string | undefined {
  return equal(`${pointer} of ${reply.what}`, at(reply.json, pointer), wanted);
}

/** Finds fault when a member of the body is no text of this form. */
export function matches(reply: KitReply, pointer: string, pattern: RegExp): string | undefined {
  const value = at(reply.json, pointer);
  if (typeof value === 'string' && pattern.test(value)) return undefined;
  return `${pointer} of ${reply.what} is ${shown(value)}, not ${pattern.source}`;
}

/** Finds fault when a header is missing or does not match. */
export function header(reply: KitReply, name: string, pattern: RegExp): string | undefined {
  const value = reply.header(name);
  if (value !== undefined && pattern.test(value)) return undefined;
  return `${reply.what} answered with ${name} ${shown(value)}, not ${pattern.source}`;
}

/** The value at a JSON pointer; undefined where there is none. */
export function at(value: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).reduce<unknown>((inner, name) =>
    typeof inner === 'object' && inner !== null
      ? (inner as Readonly<Record<string, unknown>>)[name]
      : undefined, value);
}

/** The text at a JSON pointer of a reply; throws a sentence when the reply has none there. */
export function textAt(reply: KitReply, pointer: string): string {
  const value = at(reply.json, pointer);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${reply.what} answered ${reply.status} without ${pointer}`);
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, SHOWN_MAX);
}
