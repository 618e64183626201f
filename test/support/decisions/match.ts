import type { PlatformReply } from '../platform-calls.ts';
import type { ExpectedAnswer } from './read-examples.ts';

/**
 * Says in sentences where an answer is other than an example says; nothing when it is as said.
 * A text that begins with `~` is a regular expression, `*` is anything that is there.
 */
export function differences(expected: ExpectedAnswer, reply: PlatformReply): readonly string[] {
  const { status, code, headers = {}, body, text, lacks = [] } = expected;
  const found: string[] = [];
  if (reply.status !== status) found.push(`status ${reply.status}, not ${status}`);
  if (code !== undefined) found.push(...unlike(code, codeOf(reply.body), 'code'));
  for (const [name, value] of Object.entries(headers)) {
    found.push(...unlike(String(value), reply.headers.get(name) ?? undefined, `header ${name}`));
  }
  if (body !== undefined) found.push(...unlike(body, jsonOf(reply.text), 'body'));
  if (text !== undefined && !reply.text.includes(text)) found.push(`text without ${text}`);
  const whole = jsonOf(reply.text);
  found.push(...lacks.filter((pointer) => at(whole, pointer) !== undefined)
    .map((pointer) => `${pointer} is there`));
  if (found.length === 0) return [];
  return [...found, `answer ${reply.status}: ${reply.text.slice(0, 1_000)}`];
}

/** The code of an answer: its own, or the one that token and authorization answers have. */
function codeOf(body: Readonly<Record<string, unknown>>): unknown {
  return body['code'] ?? body['error_code'] ?? body['error'];
}

/** Where a value lacks something of an expected one; objects may have more, lists may not. */
export function unlike(expected: unknown, found: unknown, where: string): readonly string[] {
  if (typeof expected === 'string' && expected === '*') {
    return found === undefined || found === null || found === '' ? [`${where} is missing`] : [];
  }
  if (typeof expected === 'string' && expected.startsWith('~')) {
    const isText = typeof found === 'string' || typeof found === 'number';
    const fits = isText && new RegExp(expected.slice(1), 'u').test(String(found));
    return fits ? [] : [`${where} is ${JSON.stringify(found)}, not like ${expected.slice(1)}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) {
      return [`${where} is ${short(found)}, not a list of ${expected.length}`];
    }
    return expected.flatMap((each, i) => unlike(each, found[i], `${where}/${i}`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof found !== 'object' || found === null) return [`${where} is ${short(found)}`];
    return Object.entries(expected).flatMap(([key, each]) => (
      unlike(each, (found as Readonly<Record<string, unknown>>)[key], `${where}/${key}`)
    ));
  }
  return expected === found ? [] : [`${where} is ${short(found)}, not ${JSON.stringify(expected)}`];
}

/** The value at a JSON pointer; nothing where it does not lead anywhere. */
export function at(value: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).reduce<unknown>((inner, key) => (
    typeof inner === 'object' && inner !== null
      ? (inner as Readonly<Record<string, unknown>>)[key]
      : undefined
  ), value);
}

/** The JSON of a text, lists included; the text itself when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 300);
}
