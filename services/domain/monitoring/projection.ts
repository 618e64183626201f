import { longOf } from '../../kernel/longs.ts';
import type {
  NewestMonitoring, ProviderCommandIssued, ProviderCommandResult, StoredCommand, TelemetryRequest,
} from '../../kernel/commands.ts';
import type { RecordId } from '../../kernel/record-id.ts';
import { counts } from './result.ts';

/** Everything that is kept about one command; a result may come before its command. */
export interface CommandRecord {
  readonly issued: StoredCommand['issued'] | undefined;
  readonly result: StoredCommand['result'];
  /** Where its first record is; undefined while only its gateway has shown it. */
  readonly first?: Pick<RecordId, 'topicId' | 'offset'> | undefined;
}

/** The newest start or stop of a transport at a provider, and its record. */
export interface MonitoringRecord {
  readonly command: NewestMonitoring['command'];
  readonly command_id: string;
  readonly id: Pick<RecordId, 'topicId' | 'offset'>;
}

/** A command that is not known. */
export const UNKNOWN_COMMAND: CommandRecord = { issued: undefined, result: undefined };

/**
 * Folds a command into its record: the fact without its body. Of two records of one command the
 * first in the log counts; a gateway that shows its command has no place in the log to say.
 */
export function foldIssued(
  record: CommandRecord, { type: _, identity: __, body, ...issued }: ProviderCommandIssued,
  id?: Pick<RecordId, 'topicId' | 'offset'>,
): CommandRecord {
  const { first } = record;
  const isLater = first !== undefined
    && (id === undefined || (id.topicId === first.topicId && id.offset > first.offset));
  if (isLater) return record;
  const transport = 'transport' in body ? { transport_id: longOf(body.transport.id) } : {};
  const request = body.command === 'process_telemetry_events' ? { request_id: body.id } : {};
  return {
    ...record, issued: { ...issued, command: body.command, ...transport, ...request },
    ...(id === undefined ? {} : { first: { topicId: id.topicId, offset: id.offset } }),
  };
}

/** Folds a result into its command, if it counts before what is kept. */
export function foldResult(
  record: CommandRecord, { type: _, ...result }: ProviderCommandResult,
): CommandRecord {
  return counts(result, record.result) ? { ...record, result } : record;
}

/**
 * The newest start or stop of a transport by its place in the log; another command changes nothing.
 * A recreated topic starts over.
 */
export function foldMonitoring(
  kept: MonitoringRecord | undefined, { body, command_id }: ProviderCommandIssued,
  { topicId, offset }: RecordId,
): MonitoringRecord | undefined {
  if (body.command !== 'start_tracking' && body.command !== 'stop_tracking') return kept;
  if (kept?.id.topicId === topicId && offset <= kept.id.offset) return kept;
  return { command: body.command, command_id, id: { topicId, offset } };
}

/**
 * A request for deferred events, if the command is one. Of two with one id the command issued first
 * counts, and of two issued in one millisecond the one with the least command id.
 */
export function foldTelemetryRequest(
  kept: TelemetryRequest | undefined, { body, command_id, at_ms }: ProviderCommandIssued,
): TelemetryRequest | undefined {
  if (body.command !== 'process_telemetry_events') return kept;
  const isLater = kept !== undefined
    && (kept.at_ms < at_ms || (kept.at_ms === at_ms && kept.command_id <= command_id));
  if (isLater) return kept;
  return { command_id, transport_id: longOf(body.transport.id), at_ms };
}
