import type { Clock } from '../../kernel/clock.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import {
  replay, type ReplayConfig, type LogReplayEnd, type LogReplayPorts, type ReplaySource,
} from './replay.ts';

/** What a rebuild works with. */
export interface RebuildPorts extends LogReplayPorts {
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * Brings everything that admission and decisions need from the log into the state store, then sets
 * the ready marks. Also right on a store that is ready: applying changes only what was missing.
 */
export async function rebuildState(
  config: ReplayConfig, ports: RebuildPorts, sources: readonly ReplaySource[],
): Promise<LogReplayEnd> {
  const { readiness, owner, clock, signals } = ports;
  const begun = clock.nowMs();
  let code = 'internal';
  try {
    const end = await replay(config, ports, sources);
    const isDone = end === 'replayed' && await readiness.markReady(owner);
    code = isDone || end !== 'replayed' ? end : 'broken_off';
    return code as LogReplayEnd;
  } catch (error) {
    if (isUnavailable(error)) code = error.code;
    throw error;
  } finally {
    const seconds = (clock.nowMs() - begun) / 1000;
    signals.stateRebuildEnded({ code, seconds });
  }
}
