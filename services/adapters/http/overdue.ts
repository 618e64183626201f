/**
 * The outcome of `work`, or the error of `late` when it takes longer than `afterMs`, or up to
 * {@link LOOK_MS} longer than that.
 */
export type WithOverdue = <Outcome>(
  afterMs: number, late: () => Error, work: Promise<Outcome>,
) => Promise<Outcome>;

interface Watched {
  looksLeft: number;
  readonly giveUp: () => void;
}

/** How often all that is watched is looked at, in ms. */
const LOOK_MS = 50;

/**
 * Makes the net under ports that keep deadlines themselves: without it one that forgets would hold
 * its caller for ever. One timer looks at all calls, because a timer for each costs more than it is
 * worth where next to none is ever needed.
 */
export function createOverdue(): WithOverdue {
  const watched = new Set<Watched>();
  let isLooking = false;

  function look(): void {
    for (const one of watched) {
      one.looksLeft -= 1;
      if (one.looksLeft > 0) continue;
      watched.delete(one);
      one.giveUp();
    }
    isLooking = watched.size > 0;
    if (isLooking) setTimeout(look, LOOK_MS);
  }

  return (afterMs, late, work) => new Promise((resolve, reject) => {
    // The first look may come at once: it counts for nothing.
    const looksLeft = 1 + Math.ceil(Math.max(0, afterMs) / LOOK_MS);
    const one: Watched = { looksLeft, giveUp: () => reject(late()) };
    watched.add(one);
    if (!isLooking) {
      isLooking = true;
      setTimeout(look, LOOK_MS);
    }
    const ended = <Value>(tell: (value: Value) => void) => (value: Value): void => {
      watched.delete(one);
      tell(value);
    };
    work.then(ended(resolve), ended(reject));
  });
}
