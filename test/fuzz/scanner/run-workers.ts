import { Worker } from 'node:worker_threads';

/** A chunk that a thread ended; the thread answers its chunk's number with what it came to. */
export interface ChunkDone<Result> {
  readonly chunk: number;
  readonly tally: Result;
}

/**
 * Runs chunks on so many threads and hands over each result. A thread gets `{...work, chunk}` and
 * posts {@link ChunkDone}. Ends when there are no more, or when the signal says so; chunks under
 * way are then lost, and done again by the next run. Rejects with what a thread died of.
 */
export async function runWorkers<Result>(
  { entry, workers, work }: {
    readonly entry: URL; readonly workers: number; readonly work: object;
  },
  chunks: Iterator<number>, onChunk: (chunk: number, tally: Result) => void, signal: AbortSignal,
): Promise<void> {
  const threads = Array.from({ length: workers }, () => new Worker(entry));
  try {
    await Promise.all(threads.map((thread) => runThread(thread)));
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  function runThread(thread: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (): void => {
        const step = chunks.next();
        if (step.done === true || signal.aborted) resolve();
        else thread.postMessage({ ...work, chunk: step.value });
      };
      thread.on('error', reject);
      thread.on('exit', (code) => reject(new Error(`A thread ended early with ${code}.`)));
      thread.on('message', ({ chunk, tally }: ChunkDone<Result>) => {
        onChunk(chunk, tally);
        next();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      next();
    });
  }
}
