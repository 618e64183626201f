import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { vi } from 'vitest';
import type { Steps } from '../../services/kernel/steps.ts';

type Works = (self: never, given: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown): number => (
  (value as { length?: number } | undefined)?.length ?? 0
);
const KEY = Buffer.alloc(32);
const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

/** What works through bytes at once, and through how many. */
const WORKERS: readonly (readonly [owner: object, name: string, bytes: Works])[] = [
  [JSON, 'parse', (_self, [text]) => lengthOf(text)],
  [JSON, 'stringify', (_self, _given, text) => lengthOf(text)],
  [Buffer, 'concat', (_self, _given, bytes) => lengthOf(bytes)],
  [Buffer.prototype, 'toString', (_self, _given, text) => lengthOf(text)],
  [Buffer.prototype, 'write', (_self, [text]) => lengthOf(text)],
  [Buffer.prototype, 'copy', (_self, _given, copied) => Number(copied)],
  [Uint8Array.prototype, 'set', (_self, [bytes]) => lengthOf(bytes)],
  [prototypeOf(createCipheriv('aes-256-gcm', KEY, KEY)), 'update', (_self, [bytes]) => lengthOf(bytes)],
  [prototypeOf(createHmac('sha256', KEY)), 'update', (_self, [bytes]) => lengthOf(bytes)],
  [prototypeOf(createHash('sha256')), 'update', (_self, [bytes]) => lengthOf(bytes)],
];

/** Takes all steps, and gives what they end in and the most bytes of one step. */
export function bytesByStep<Result>(
  steps: Steps<Result>,
): { readonly result: Result; readonly steps: number; readonly most: number } {
  let own = 0;
  let most = 0;
  let count = 0;
  const spies = WORKERS.map(([owner, name, bytes]) => {
    const work = (owner as Record<string, (...given: unknown[]) => unknown>)[name];
    if (work === undefined) throw new Error(`There is no ${name}.`);
    return vi.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(
      function counted(this: unknown, ...given: unknown[]) {
        const result = work.apply(this, given);
        own += bytes(this as never, given, result);
        return result;
      },
    );
  });
  try {
    for (;;) {
      own = 0;
      const step = steps.next();
      most = Math.max(most, own);
      count += 1;
      if (step.done === true) return { result: step.value, steps: count, most };
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
