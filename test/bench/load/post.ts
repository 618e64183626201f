import type { Order, LoadSender } from './order.ts';

/** The bytes of one line's post; each `next` gives them with seconds never sent before. */
export interface LoadPost {
  next(): Buffer;
}

const DIGITS = 10;
const STAMP = /"(post_)?timestamp":\d{10}/g;

/**
 * Makes posts of some devices by turns. Head and body lie in one buffer and only the seconds and
 * the device are rewritten, so that sending costs next to nothing and no fix is a duplicate of
 * another. The line takes one of the bodies; all ids of devices must be as long as the first.
 */
export function makePost(
  { path, locations, firstSecond }: Order, bodies: readonly Buffer[],
  senders: readonly LoadSender[], line: number, secondsPerLine: number,
): LoadPost {
  const [first] = senders;
  if (first === undefined) throw new Error('A line without senders.');
  const { deviceId, token } = first;
  const body = (bodies[line % bodies.length] ?? Buffer.alloc(0)).toString()
    .replace(/"device_id":"[^"]*"/, `"device_id":"${deviceId}"`);
  const head = [
    `POST ${path} HTTP/1.1`, 'Host: bench', `Authorization: Bearer ${token}`,
    'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', '',
  ].join('\r\n');
  const bytes = Buffer.from(head + body);
  const places = stampsOf(head.length, body);
  const deviceAt = bytes.indexOf(deviceId, head.length);
  let second = firstSecond + line * secondsPerLine;
  let posts = 0;
  return {
    next() {
      bytes.write(senders[posts % senders.length]?.deviceId ?? deviceId, deviceAt, 'latin1');
      posts += 1;
      for (const { at, nth } of places) bytes.write(String(second + nth), at, DIGITS, 'latin1');
      second += locations;
      return bytes;
    },
  };
}

/** Where seconds stand; a fix and its telemetry share one, the post has that of the last fix. */
function stampsOf(offset: number, body: string): { at: number; nth: number }[] {
  const seen = new Map<string, number>();
  return [...body.matchAll(STAMP)].flatMap((match) => {
    const digits = match[0].slice(-DIGITS);
    const at = offset + match.index + match[0].length - DIGITS;
    if (match[1] !== undefined) return [{ at, nth: 0 }];
    const nth = seen.get(digits) ?? seen.size;
    seen.set(digits, nth);
    return [{ at, nth }];
  });
}
