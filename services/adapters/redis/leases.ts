import type { Leases } from '../../kernel/leases.ts';
import { shardOf } from '../../kernel/shards.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';

/** Leases as hashes by the clock of the store, which all owners share. */
export function createLeases(runScript: RunScript): Leases {
  const keyOf = (name: string): string => keys.lease(tagOf(shardOf(name)), name);
  return {
    async claim(name, owner, leaseMs, fenceLeast) {
      const fence = Number(
        await runScript('claim-lease', [keyOf(name)], [owner, leaseMs, fenceLeast]),
      );
      return fence === 0 ? undefined : fence;
    },

    async renew(name, owner, leaseMs) {
      return Number(await runScript('keep-lease', [keyOf(name)], [owner, leaseMs])) === 1;
    },

    async release(name, owner) {
      await runScript('keep-lease', [keyOf(name)], [owner, 0]);
    },
  };
}
