/** The least of what was put in, first; items that compare equal come in any order. */
export interface Heap<Item> {
  push(item: Item): void;
  peek(): Item | undefined;
  pop(): Item | undefined;
}

/** Makes a binary heap ordered by `keyOf`, the smallest first. */
export function createHeap<Item>(keyOf: (item: Item) => number): Heap<Item> {
  const items: Item[] = [];
  const keyAt = (at: number): number => {
    const item = items[at];
    return item === undefined ? Infinity : keyOf(item);
  };

  function swap(a: number, b: number): void {
    [items[a], items[b]] = [items[b] as Item, items[a] as Item];
  }

  return {
    push(item) {
      items.push(item);
      for (let at = items.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (keyAt(parent) <= keyAt(at)) return;
        swap(parent, at);
        at = parent;
      }
    },
    peek: () => items[0],
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      items[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const least = keyAt(left) <= keyAt(left + 1) ? left : left + 1;
        if (keyAt(at) <= keyAt(least)) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}
