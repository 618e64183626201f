import type { Digest } from '../../kernel/digest.ts';
import { SHARDS } from '../../kernel/limits.ts';
import type { StateUpkeep } from '../../kernel/state-upkeep.ts';

/** 16 hex digits for each shard, and one for all; the same for the same entries in any order. */
export interface StateHashes {
  readonly all: string;
  readonly shards: readonly string[];
  readonly entries: number;
}

const HEX_DIGITS = 16;

/** Hashes everything that the log can bring back and that does not leave soon, shard by shard. */
export async function hashState(states: StateUpkeep, digest: Digest): Promise<StateHashes> {
  const sums = Array.from({ length: SHARDS }, () => 0n);
  // A scan may bring an entry twice, and twice would cancel out.
  const seen = new Set<string>();
  await states.scan((entries) => {
    for (const { name, shard, content, isLeaving } of entries) {
      if (isLeaving || seen.has(name)) continue;
      seen.add(name);
      const hash = digest(JSON.stringify([name, content])).slice(0, HEX_DIGITS);
      sums[shard] = (sums[shard] ?? 0n) ^ BigInt(`0x${hash}`);
    }
    return Promise.resolve();
  });
  const shards = sums.map((sum) => sum.toString(16).padStart(HEX_DIGITS, '0'));
  return { all: digest(shards.join(' ')).slice(0, HEX_DIGITS), shards, entries: seen.size };
}
