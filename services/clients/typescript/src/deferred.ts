/** A promise that is resolved from outside; Node 20 has no `Promise.withResolvers`. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Its rejection is handled even when nothing waits for it yet. */
export function createDeferred(): Deferred {
  let resolve = (): void => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
