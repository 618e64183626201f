/** First in, first out; taking costs the same however many wait. */
export interface Fifo<T> {
  readonly size: number;
  push(item: T): void;
  first(): T | undefined;
  take(): T | undefined;
}

/** A queue over one array, whose taken part is cut off now and then. */
export function createFifo<T>(items: Iterable<T> = []): Fifo<T> {
  const kept: (T | undefined)[] = [...items];
  let head = 0;
  return {
    get size() { return kept.length - head; },
    push(item) { kept.push(item); },
    first: () => kept[head],
    take() {
      const item = kept[head];
      if (head < kept.length) kept[head++] = undefined;
      if (head * 2 > kept.length) {
        kept.splice(0, head);
        head = 0;
      }
      return item;
    },
  };
}
