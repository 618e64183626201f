import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { STEP_BYTES, type Steps } from '../../kernel/steps.ts';

/** Bytes of a key. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What a sealed thing has more than the thing itself. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM: nonce, tag and ciphertext one behind the other. `bound` is authenticated with it, so
 * that a sealed thing cannot be put in the place of another.
 */
export function sealBytes(key: Buffer, bytes: Uint8Array, bound = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound));
  const sealed = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/** The bytes that were sealed; throws when key, place or content are not the same. */
export function openBytes(key: Buffer, sealed: Buffer, bound = ''): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, SEAL_BYTES));
  const rest = sealed.subarray(SEAL_BYTES);
  return Buffer.concat([decipher.update(rest), decipher.final()]);
}

/** The same as Base64 for URLs of any length, in steps, written at a place. */
export function* writeSealed(
  key: Buffer, pieces: Iterable<Uint8Array>, bound: string, target: Uint8Array, at: number,
): Steps<void> {
  const text = Buffer.from(target.buffer, target.byteOffset, target.byteLength);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound));
  // The tag comes before the ciphertext and is known behind it, so that its place is left open. It
  // shares its last group of Base64 with the first bytes of the ciphertext.
  const open = Buffer.alloc(FIRST_GROUPS_BYTES);
  let opened = SEAL_BYTES;
  let writtenAt = at + charactersOf(FIRST_GROUPS_BYTES);
  for (const plain of inGroups(pieces)) {
    const sealed = cipher.update(plain);
    const own = sealed.copy(open, opened);
    opened += own;
    writtenAt += text.write(sealed.toString('base64url', own), writtenAt, 'latin1');
    yield;
  }
  cipher.final();
  nonce.copy(open);
  cipher.getAuthTag().copy(open, NONCE_BYTES);
  text.write(open.toString('base64url', 0, opened), at, 'latin1');
}

/**
 * The same bytes in pieces of whole groups of Base64, but for the first, which also has those that
 * the tag leaves room for, and the last. Each is good until the next is asked for.
 */
function* inGroups(pieces: Iterable<Uint8Array>): Generator<Buffer, void> {
  const group = Buffer.allocUnsafe(GROUPED_BYTES + BESIDE_TAG_BYTES);
  let bytesMax = group.length;
  let length = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + bytesMax - length);
      group.set(part, length);
      length += part.length;
      from += part.length;
      if (length < bytesMax) continue;
      yield group.subarray(0, length);
      [bytesMax, length] = [GROUPED_BYTES, 0];
    }
  }
  if (length > 0) yield group.subarray(0, length);
}

/** Characters of so many bytes as Base64 for URLs. */
export function charactersOf(bytes: number): number {
  return Math.ceil(bytes * 4 / GROUP_BYTES);
}

const GROUP_BYTES = 3;
/** Of these as many as may be worked on at once. */
const GROUPED_BYTES = STEP_BYTES - STEP_BYTES % GROUP_BYTES;
/** The least groups that hold what a sealed thing has more. */
const FIRST_GROUPS_BYTES = Math.ceil(SEAL_BYTES / GROUP_BYTES) * GROUP_BYTES;
const BESIDE_TAG_BYTES = FIRST_GROUPS_BYTES - SEAL_BYTES;

/** {@link sealBytes} in steps. */
export function* sealInSteps(key: Buffer, bytes: Uint8Array, bound: string): Steps<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound));
  const sealed = Buffer.allocUnsafe(SEAL_BYTES + bytes.length);
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) yield;
    cipher.update(bytes.subarray(from, from + STEP_BYTES)).copy(sealed, SEAL_BYTES + from);
  }
  cipher.final();
  nonce.copy(sealed);
  cipher.getAuthTag().copy(sealed, NONCE_BYTES);
  return sealed;
}
