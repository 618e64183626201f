/** One thread of `npm run fuzz:bodies`: a server of its own for each chunk that it gets. */
import { parentPort } from 'node:worker_threads';
import { fuzzBodies } from '../../support/every-body/fuzz.ts';
import { KINDS, type KindName } from './kinds.ts';

interface ChunkOrder {
  readonly kind: KindName;
  readonly seed: number;
  readonly chunk: number;
}

parentPort?.on('message', ({ kind, seed, chunk }: ChunkOrder) => {
  // What rejects here ends the thread, and with it the run.
  void fuzzBodies(KINDS[kind].bodiesOf(seed, chunk)).then((tally) => {
    parentPort?.postMessage({ chunk, tally });
  });
});
