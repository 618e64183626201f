/**
 * The outcome of `work`, or the error of `late` when it takes longer than `afterMs`. The net under
 * ports that keep deadlines themselves: without it one that forgets would hold its caller for ever.
 */
export function withOverdue<Outcome>(
  afterMs: number, late: () => Error, work: Promise<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, afterMs));
    void work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
