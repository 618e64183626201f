import type { StoredCommand } from '../../kernel/commands.ts';
import { stateOf } from '../../domain/monitoring/result.ts';
import { writtenLong } from '../../kernel/longs.ts';
import type { DeferredAnswer } from '../../kernel/platform-history.ts';
import type { CommandResource, TelemetryEventName } from '../../../schemas/generated/types.ts';

/** A command as the platform sees it: what was asked for, its result, and a deferred answer. */
export function commandResource(
  { issued, result }: StoredCommand, answer?: DeferredAnswer,
): CommandResource {
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
    ...(issued.expires_at_ms === undefined
      ? {}
      : { expires_at: isoDate(issued.expires_at_ms) }),
    issued_at: isoDate(issued.at_ms),
    ...(result === undefined ? {} : { last_attempt_at: isoDate(result.at_ms) }),
    ...(result?.next_attempt_at_ms === undefined
      ? {}
      : { next_attempt_at: isoDate(result.next_attempt_at_ms) }),
    ...(answer === undefined ? {} : { deferred_answer: answerOf(answer) }),
  };
}

function answerOf(
  { received_at_ms, answers, route_distance, events }: DeferredAnswer,
): NonNullable<CommandResource['deferred_answer']> {
  return {
    received_at: isoDate(received_at_ms), answers, route_distance,
    events: events.map(({ name, start_date_ms, end_date_ms, metadata, ...rest }) => ({
      name: name as TelemetryEventName,
      start_date: isoDate(start_date_ms), end_date: isoDate(end_date_ms),
      ...rest,
      ...(metadata.length === 0 ? {} : { metadata: [...metadata] }),
    })),
  };
}

function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
