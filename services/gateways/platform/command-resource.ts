import type { StoredCommand } from '../../kernel/commands.ts';
import { stateOf } from '../../domain/monitoring/result.ts';
import type { CommandResource } from '../../../schemas/generated/types.ts';
import { writtenLong } from '../../kernel/longs.ts';

/** A command as the platform sees it: what was asked for, and its result. */
export function commandResource({ issued, result }: StoredCommand): CommandResource {
  return {
    command_id: issued.command_id,
    provider: issued.provider,
    command: issued.command,
    ...(issued.transport_id === undefined
      ? {}
      : { transport: { id: writtenLong(issued.transport_id) } }),
    state: stateOf(result),
    attempts: result?.attempt ?? 0,
    ...(result?.status === undefined ? {} : { last_status: result.status }),
    ...(result === undefined ? {} : { last_reason: result.reason }),
    ...(result?.cancelled_by === undefined ? {} : { cancelled_by: result.cancelled_by }),
    ...(issued.corrects === undefined ? {} : { corrects: issued.corrects }),
    issued_at: isoDate(issued.at_ms),
    ...(result === undefined ? {} : { last_attempt_at: isoDate(result.at_ms) }),
    ...(result?.next_attempt_at_ms === undefined
      ? {}
      : { next_attempt_at: isoDate(result.next_attempt_at_ms) }),
  };
}

function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
