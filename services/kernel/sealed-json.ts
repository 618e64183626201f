import type { LongSealed, SealedPersonal } from './personal.ts';
import { STEP_BYTES, type Steps } from './steps.ts';

/** Below this, writing in one piece is as fast. */
const COPIED_CHARACTERS_MIN = 65_536;

/**
 * A fact with sealed members as JSON in UTF-8. Base64url has nothing to escape, so that megabytes
 * of it are copied instead of being searched: 2 ms instead of 18 for 8 MB.
 */
export function sealedJson(
  fact: { readonly type: string; readonly personal?: SealedPersonal },
): Buffer {
  const { personal, ...others } = fact;
  if (personal === undefined || personal.sealed.length < COPIED_CHARACTERS_MIN) {
    return Buffer.from(JSON.stringify(fact));
  }
  const { sealed, ...about } = personal;
  const head = `${opened(others)},"personal":${opened(about)},"sealed":"`;
  const headBytes = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(headBytes + sealed.length + END.length);
  bytes.write(head, 0, 'utf8');
  bytes.write(sealed, headBytes, 'latin1');
  bytes.write(END, headBytes + sealed.length, 'latin1');
  return bytes;
}

const END = '"}}';

/** An object with members as JSON, up to its closing brace. */
function opened(object: object): string {
  return JSON.stringify(object).slice(0, -1);
}

/** The same of any size, in steps: `clear` is the JSON of the fact without its sealed members. */
export function* sealedJsonInSteps(
  clear: Iterable<Uint8Array>, sealed: LongSealed | undefined,
): Steps<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of clear) {
    pieces.push(piece);
    bytes += piece.length;
    yield;
  }
  if (sealed === undefined) return yield* joined(pieces, Buffer.allocUnsafe(bytes));
  const { key, mac, characters } = sealed;
  const about = Buffer.from(`,"personal":${opened({ key, mac })},"sealed":"`);
  // Over the closing brace of the fact, which comes last now.
  const sealedAt = bytes - 1 + about.length;
  const value = Buffer.allocUnsafe(sealedAt + characters + END.length);
  yield* joined(pieces, value);
  about.copy(value, bytes - 1);
  yield* sealed.write(value, sealedAt);
  value.write(END, sealedAt + characters, 'latin1');
  return value;
}

function* joined(pieces: readonly Uint8Array[], target: Buffer): Steps<Buffer> {
  let at = 0;
  let worked = 0;
  for (const piece of pieces) {
    target.set(piece, at);
    at += piece.length;
    worked += piece.length;
    if (worked < STEP_BYTES) continue;
    yield;
    worked = 0;
  }
  return target;
}
