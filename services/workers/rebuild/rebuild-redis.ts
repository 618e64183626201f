import type { Digest } from '../../kernel/digest.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { LastFixes } from '../../kernel/fixes.ts';
import type { StateUpkeep } from '../../kernel/state-upkeep.ts';
import { compareStates, type StateComparison } from './compare-states.ts';
import { rebuildState, type RebuildPorts } from './rebuild-state.ts';
import { replayFixes } from './replay-fixes.ts';
import type { ReplayConfig, LogReplayEnd } from './replay.ts';
import { hashState, type StateHashes } from './state-hashes.ts';
import type { WatchSources } from './watch-state.ts';

/** A store with what is replayed into it. */
export interface RebuildTarget {
  readonly upkeep: StateUpkeep;
  readonly lastFixes: LastFixes;
  readonly ports: RebuildPorts;
  readonly sources: WatchSources;
}

/** What a dry run found. */
export interface StateDifference {
  readonly comparison: StateComparison;
  /** The running store, and the store that was built from the log beside it. */
  readonly live: StateHashes;
  readonly log: StateHashes;
}

/** What a rebuild did. */
export interface StateRebuilt {
  readonly removed: number;
  readonly before: StateHashes;
  readonly after: StateHashes;
}

/** Kinds whose log is shorter than they are: last places of who has been silent for long. */
const FIX_KINDS = ['last-fix', 'traceable', 'fleet'];
const SHOWN_MAX = 20;

/** Builds the state beside the running one, from the whole log, and says where they differ. */
export async function compareWithLog(
  config: ReplayConfig, live: RebuildTarget, shadow: RebuildTarget, digest: Digest,
): Promise<StateDifference> {
  if (!await shadow.upkeep.claimShadow()) {
    throw new Unavailable('state_busy', 'apply', 'the place for the shadow holds something else');
  }
  const replayAll = async (): Promise<void> => {
    insist(await rebuildState(config, shadow.ports, shadow.sources.state));
    insist(await replayFixes(
      config, { ...shadow.ports, lastFixes: shadow.lastFixes }, shadow.sources.lastFixes,
    ));
  };
  await replayAll();
  const comparison = await compareStates(live.upkeep, shadow.upkeep, replayAll, SHOWN_MAX);
  const found = {
    comparison,
    live: await hashState(live.upkeep, digest),
    log: await hashState(shadow.upkeep, digest),
  };
  await shadow.upkeep.claimShadow();
  return found;
}

/**
 * Builds the running state again: takes the right, takes the marks away (every call is answered 500
 * from then on), removes what the log brings back, replays, and sets the marks. Fixes stay unless
 * `withFixes`, since they may be older than the log. If this breaks off, the projector's watch
 * does the rest.
 */
export async function rebuildRedis(
  config: ReplayConfig, live: RebuildTarget, digest: Digest, withFixes: boolean,
): Promise<StateRebuilt> {
  const { readiness, owner } = live.ports;
  const before = await hashState(live.upkeep, digest);
  if (!await readiness.claimRebuild(owner, config.leaseMs)) insist('held_by_other');
  await live.upkeep.withdrawMarks();
  const renewal = setInterval(() => {
    readiness.renewRebuild(owner, config.leaseMs).catch(() => undefined);
  }, config.renewMs);
  const removed = await live.upkeep.clear(withFixes ? [] : FIX_KINDS)
    .finally(() => clearInterval(renewal));
  insist(await rebuildState(config, live.ports, live.sources.state));
  insist(await replayFixes(
    config, { ...live.ports, lastFixes: live.lastFixes }, live.sources.lastFixes,
  ));
  return { removed, before, after: await hashState(live.upkeep, digest) };
}

function insist(end: LogReplayEnd): void {
  if (end === 'replayed') return;
  const why = end === 'held_by_other'
    ? 'another process is rebuilding' : 'the store was wiped or restarted meanwhile';
  throw new Unavailable('state_busy', 'apply', why);
}
