/** Makes what lets so many do something at a time; the others wait, first come first served. */
export function createSlots(slotsMax: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  }

  return async () => {
    if (taken < slotsMax) taken += 1;
    else await new Promise<void>((resolve) => { waiting.push(resolve); });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end();
    };
  };
}
