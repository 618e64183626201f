import type { SealedPersonal } from './personal.ts';

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
