const MINUTE_MS = 60_000;

/** Prints how much of a step is done and how long the rest will take, by what it took so far. */
export function progressOf(
  print: (line: string) => void, total: number, what: string, nowMs: () => number = Date.now,
): (done: number) => void {
  const startMs = nowMs();
  return (done) => {
    const leftMs = done === 0 ? 0 : (nowMs() - startMs) / done * (total - done);
    const left = done === 0 || done === total ? '' : `, ${(leftMs / MINUTE_MS).toFixed(0)} min left`;
    print(`${done} of ${total} ${what}${left}`);
  };
}
