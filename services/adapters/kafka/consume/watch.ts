/** Lets callers wait until something holds; the one that changes it calls `check`. */
export interface Watch {
  when(done: () => boolean): Promise<void>;
  check(): void;
}

/** Makes an empty watch; there is no timer in it. */
export function createWatch(): Watch {
  let watchers: { readonly done: () => boolean; readonly resolve: () => void }[] = [];

  function check(): void {
    const ready = watchers.filter((watcher) => watcher.done());
    watchers = watchers.filter((watcher) => !ready.includes(watcher));
    for (const watcher of ready) watcher.resolve();
  }

  function when(done: () => boolean): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve) => { watchers.push({ done, resolve }); });
  }

  return { when, check };
}
