import { randomBytes } from 'node:crypto';
import type { Scenario } from '../../faults/scenario.ts';
import { rotateVaultKey } from '../rotate/vault-key.ts';
import { deed, underLoad } from '../steps.ts';

/** Restarts are what takes time here; calls leave them some. */
const CALLS_PER_SECOND = 20;
/** Commands of the last processes are still in flight, and are checked with the others. */
const AFTER_MS = 5_000;

/** The key of parties' secrets changes while commands go out to them. */
export const vault: Scenario = {
  name: 'vault',
  does: 'the key that seals the secrets of parties, while commands go out to them',
  aims: ['I1', 'I10', 'I14', 'I15', 'I16', 'I17'], seconds: 1, isBalanced: true, ownCluster: {},
  callsPerSecond: CALLS_PER_SECOND,
  plan: () => [{ atMs: 0, fault: deed('rotation', 'key of the vault', async (faultEnv) => {
    await rotateVaultKey(faultEnv, randomBytes(32).toString('base64'));
    await underLoad(AFTER_MS);
  }) }],
};
