/**
 * The outcome of `work`, or the error of `late` when it takes longer than `afterMs`, or up to
 * {@link CHECK_MS} longer than that.
 */
export type WithOverdue = <Outcome>(
  afterMs: number, late: () => Error, work: Promise<Outcome>,
) => Promise<Outcome>;

interface Watched {
  checksLeft: number;
  readonly reject: () => void;
}

/** How often all that is watched is looked at, in ms. */
const CHECK_MS = 50;

/**
 * Makes the net under ports that keep deadlines themselves: without it one that forgets would hold
 * its caller forever. One timer looks at all calls, because a timer for each costs more than it is
 * worth where next to none is ever needed.
 */
export function createOverdue(): WithOverdue {
  const watched = new Set<Watched>();
  let isChecking = false;

  function check(): void {
    for (const one of watched) {
      one.checksLeft -= 1;
      if (one.checksLeft > 0) continue;
      watched.delete(one);
      one.reject();
    }
    isChecking = watched.size > 0;
    if (isChecking) setTimeout(check, CHECK_MS);
  }

  return (afterMs, late, work) => new Promise((resolve, reject) => {
    // The first look may come at once: it counts for nothing.
    const checksLeft = 1 + Math.ceil(Math.max(0, afterMs) / CHECK_MS);
    const one: Watched = { checksLeft, reject: () => reject(late()) };
    watched.add(one);
    if (!isChecking) {
      isChecking = true;
      setTimeout(check, CHECK_MS);
    }
    const ended = <Value>(pass: (value: Value) => void) => (value: Value): void => {
      watched.delete(one);
      pass(value);
    };
    work.then(ended(resolve), ended(reject));
  });
}
