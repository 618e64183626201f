import { isFree } from '../../../infra/local/ports.ts';

const FIRST = 18_400;
const BLOCK = 80;
const BLOCKS_MAX = 12;

/** Where everything of one cluster listens: a block of ports of 127.0.0.1. */
export interface ClusterPorts {
  /** The nth port of the block. */
  at(index: number): number;
}

/** Finds a block of unused ports, so that two clusters can run on one machine. */
export async function findClusterPorts(): Promise<ClusterPorts> {
  for (let block = 0; block < BLOCKS_MAX; block += 1) {
    const base = FIRST + block * BLOCK;
    const free = await Promise.all(Array.from({ length: BLOCK }, (_, at) => isFree(base + at)));
    if (free.every(Boolean)) return { at: (index) => base + index };
  }
  throw new Error(`No block of ${BLOCK} free ports from ${FIRST} on.`);
}
