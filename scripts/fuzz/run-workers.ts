import { Worker } from 'node:worker_threads';
import type { Tally } from './tally.ts';

interface ChunkDone {
  readonly chunk: number;
  readonly tally: Tally;
}

/**
 * Runs chunks on so many threads and hands over each result. Ends when there are no more, or when
 * the signal says so; chunks under way are then lost, and done again by the next run. Rejects with
 * what a thread died of.
 */
export async function runWorkers(
  workers: number, seed: number, chunks: Iterator<number>,
  onChunk: (chunk: number, tally: Tally) => void, signal: AbortSignal,
): Promise<void> {
  const threads = Array.from(
    { length: workers }, () => new Worker(new URL('./worker.ts', import.meta.url)),
  );
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
        else thread.postMessage({ seed, chunk: step.value });
      };
      thread.on('error', reject);
      thread.on('message', ({ chunk, tally }: ChunkDone) => {
        onChunk(chunk, tally);
        next();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      next();
    });
  }
}
