import type { LastFixes } from '../../kernel/fixes.ts';
import { replay, type ReplayConfig, type LogReplayEnd, type LogReplayPorts, type ReplaySource } from './replay.ts';

/** What replaying fixes works with. */
export interface FixReplayPorts extends LogReplayPorts {
  readonly lastFixes: LastFixes;
}

/**
 * Brings last fixes back after a rebuild. Calls are answered meanwhile; only a call for a fix that
 * is still missing fails until this is done.
 */
export async function replayFixes(
  config: ReplayConfig, ports: FixReplayPorts, source: ReplaySource,
): Promise<LogReplayEnd> {
  const end = await replay(config, ports, [source]);
  if (end !== 'replayed') return end;
  // Refused after a wipe in between, which took the right and these positions with it.
  return await ports.lastFixes.markComplete(ports.owner) ? end : 'broken_off';
}
