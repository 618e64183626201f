/** Work that was begun and has not ended, each under a key such as its item or its partition. */
export interface InFlight<Key> {
  /** Adds a piece of work; `onCrash` gets the error of one that rejects. */
  add(key: Key, work: Promise<void>): void;
  readonly size: number;
  /** Waits for all that is in flight, or is chosen of it; false at once when there is none. */
  wait(isChosen?: (key: Key) => boolean): Promise<boolean>;
}

/** Makes the record of what is in flight. */
export function createInFlight<Key>(onCrash: (error: unknown) => void): InFlight<Key> {
  const keys = new Map<Promise<void>, Key>();
  return {
    add(key, work) {
      const added = work.catch(onCrash).finally(() => keys.delete(added));
      keys.set(added, key);
    },
    get size() {
      return keys.size;
    },
    async wait(isChosen = () => true) {
      const works = [...keys].filter(([, key]) => isChosen(key)).map(([work]) => work);
      await Promise.all(works);
      return works.length > 0;
    },
  };
}
