/** One thread of `npm run fuzz`: runs the chunks that it gets, one after the other. */
import { parentPort } from 'node:worker_threads';
import { openParts } from './parts.ts';
import { runChunk } from './run-chunk.ts';

const parts = await openParts();

parentPort?.on('message', ({ seed, chunk }: { seed: number; chunk: number }) => {
  parentPort?.postMessage({ chunk, tally: runChunk(parts, seed, chunk) });
});
