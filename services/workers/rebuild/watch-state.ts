import type { Pause } from '../../kernel/clock.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { LastFixes } from '../../kernel/fixes.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { rebuildState, type RebuildPorts } from './rebuild-state.ts';
import { replayFixes } from './replay-fixes.ts';
import type { ReplayConfig, ReplaySource } from './replay.ts';

/** Settings of the watch over the state store. */
export interface WatchConfig extends ReplayConfig {
  /** How often the ready marks are looked at, in milliseconds. */
  readonly pollMs: number;
  /** How often a checkpoint is kept: what is replayed after a restart of the store. */
  readonly checkpointMs: number;
}

/** Defaults of {@link WatchConfig} beside the share of poison. */
export const WATCH_LIMITS = {
  leaseMs: 10_000, renewMs: 500, pollMs: 500, checkpointMs: 5_000,
} as const;

/** What the watch works with; `isStopping` is its own. */
export interface WatchPorts extends Omit<RebuildPorts, 'isStopping' | 'reader'> {
  readonly lastFixes: LastFixes;
  readonly pause: Pause;
  /** Makes a reader for one rebuild, of what the store does not hold yet. */
  readonly tailReader: () => LogReader;
  /** Keeps in the store what it holds; false when it is not the store that is ready. */
  readonly keepCheckpoint: () => Promise<boolean>;
  /**
   * Called once with an error that is not `Unavailable`: a defect, after which the process must
   * end.
   */
  readonly onCrash: (error: unknown) => void;
}

/** What to replay: the state that calls need first, then the last positions. */
export interface WatchSources {
  readonly state: readonly ReplaySource[];
  readonly lastFixes: ReplaySource;
}

/** The running watch. */
export interface StateWatch {
  /** Looks once: rebuilds if the marks are missing, replays positions if they are incomplete. */
  readonly poll: () => Promise<void>;
  readonly start: () => void;
  /** Stops the current work and ends; the next process finds what is missing. */
  readonly stop: () => Promise<void>;
}

/**
 * Notices a state store that is new or was wiped, and rebuilds it. Faults of log or store are
 * waited out: the gateways answer 500 meanwhile, which is what they should do.
 */
export function createStateWatch(
  config: WatchConfig, ports: WatchPorts, sources: WatchSources,
): StateWatch {
  const { readiness, lastFixes, signals, pause } = ports;
  let isStopping = false;
  let running: Promise<void> = Promise.resolve();
  const withTail = () => ({ ...ports, isStopping: () => isStopping, reader: ports.tailReader() });
  let nextCheckpointMs = 0;

  async function poll(): Promise<void> {
    let isReady = await readiness.isReady();
    signals.stateReadinessRead({ ready: isReady ? 1 : 0 });
    if (!isReady) {
      signals.stateNotReady();
      isReady = await rebuildState(config, withTail(), sources.state) === 'replayed';
      signals.stateReadinessRead({ ready: isReady ? 1 : 0 });
    }
    if (!isReady) return;
    if (!await lastFixes.isComplete()) await replayFixes(config, withTail(), sources.lastFixes);
    else await keepCheckpoint();
  }

  /** Only of a store that lacks nothing: what a replay has not brought yet must be replayed. */
  async function keepCheckpoint(): Promise<void> {
    const nowMs = ports.clock.nowMs();
    if (nowMs < nextCheckpointMs) return;
    nextCheckpointMs = nowMs + config.checkpointMs;
    await ports.keepCheckpoint();
  }

  async function pollUntilStopped(): Promise<void> {
    while (!isStopping) {
      try {
        await poll();
      } catch (error) {
        if (!isUnavailable(error) || !error.retryable) {
          ports.onCrash(error);
          return;
        }
        signals.stateWatchFailed({ code: error.code, stage: error.stage });
      }
      await pause(config.pollMs);
    }
  }

  return {
    poll,
    start: () => { running = pollUntilStopped(); },
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}
