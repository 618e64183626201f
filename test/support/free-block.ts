import { isFree } from '../../infra/local/ports.ts';

/** As many as one local copy of the platform takes. */
const PORTS = 16;
// Apart from the single ports of infra/local/ports.ts: a block is listened on bit by bit, while
// tests beside it take single ones.
const BLOCK_FIRST = 28_000;
const BLOCKS = 250;

/** The first of so many free ports in a row as one copy of the platform takes. */
export async function freeBlock(): Promise<number> {
  for (;;) {
    const first = BLOCK_FIRST + Math.floor(Math.random() * BLOCKS) * PORTS;
    const block = Array.from({ length: PORTS }, (_, i) => isFree(first + i));
    if ((await Promise.all(block)).every(Boolean)) return first;
  }
}
