/** Whether the following of the log rests, or is to. */
export interface Rest {
  begin(): void;
  end(): void;
  /** A signal for one following, aborted when a rest begins. */
  asked(): AbortSignal;
  /** Resolves when no rest is wanted any more, or `left` is aborted. */
  ended(left: AbortSignal): Promise<void>;
}

/** Makes a rest that has not begun. It may be ended before anyone waits for that. */
export function createRest(): Rest {
  let isWanted = false;
  let following = new AbortController();
  let wake: () => void = () => undefined;
  return {
    begin() {
      isWanted = true;
      following.abort();
    },
    end() {
      isWanted = false;
      wake();
    },
    asked() {
      following = new AbortController();
      if (isWanted) following.abort();
      return following.signal;
    },
    async ended(left) {
      while (isWanted && !left.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        left.addEventListener('abort', wake, { once: true });
        await promise;
        left.removeEventListener('abort', wake);
      }
    },
  };
}
