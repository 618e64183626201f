import { createHmac, randomBytes } from 'node:crypto';
import type { WrappedKey } from '../../kernel/personal.ts';
import { KEY_BYTES, openBytes, sealBytes } from './cipher.ts';

const KEY_ID_BYTES = 8;
const NAMED_KEY = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** Keys that wrap data keys: the first wraps new ones, all of them unwrap. */
export interface KeyRing {
  /** Name of the key that wraps now. */
  readonly current: string;
  /** A random data key for a subject, wrapped. */
  newKey(subject: string): WrappedKey;
  /** The same data key, wrapped by the current key. */
  rewrap(subject: string, key: WrappedKey): WrappedKey;
  /** Throws for a key that is not on the ring, and for a wrapping of another subject. */
  unwrap(subject: string, key: WrappedKey): Buffer;
}

/**
 * Reads `name:base64,name:base64`, newest first. Throws one sentence that shows no key when a part
 * is not a name and 32 bytes in Base64, or a name comes twice.
 */
export function createKeyRing(text: string): KeyRing {
  const ring = new Map<string, Buffer>();
  for (const part of text.split(',')) {
    const [, name, key] = NAMED_KEY.exec(part.trim()) ?? [];
    if (name === undefined || key === undefined || ring.has(name)) {
      throw new Error('Keys of personal data are name:base64 of 32 bytes each, every name once.');
    }
    ring.set(name, Buffer.from(key, 'base64'));
  }
  const current = [...ring.keys()][0] ?? '';
  const wrap = (subject: string, id: string, dataKey: Buffer): WrappedKey => {
    const sealed = sealBytes(ring.get(current) ?? dataKey, dataKey, bound(subject, id));
    return { id, wrapped: `${current}.${sealed.toString('base64url')}` };
  };
  const unwrap = (subject: string, { id, wrapped }: WrappedKey): Buffer => {
    const point = wrapped.indexOf('.');
    const key = ring.get(wrapped.slice(0, point));
    if (key === undefined) throw new Error('a data key is wrapped by a key that is not set');
    return openBytes(key, Buffer.from(wrapped.slice(point + 1), 'base64url'), bound(subject, id));
  };
  return {
    current,
    newKey: (subject) => wrap(
      subject, randomBytes(KEY_ID_BYTES).toString('hex'), randomBytes(KEY_BYTES),
    ),
    rewrap: (subject, key) => wrap(subject, key.id, unwrap(subject, key)),
    unwrap,
  };
}

/** HMAC-SHA-256 under a key that is derived from a data key, so that it serves only this. */
export function macOf(dataKey: Buffer, text: string | Uint8Array): string {
  return startMac(dataKey).update(text).digest('hex');
}

/** The same for a text that comes in pieces. */
export function startMac(dataKey: Buffer): ReturnType<typeof createHmac> {
  const key = createHmac('sha256', dataKey).update('rastro identity of personal data').digest();
  return createHmac('sha256', key);
}

function bound(subject: string, id: string): string {
  return JSON.stringify(['PersonalKeyRecorded', subject, id]);
}
