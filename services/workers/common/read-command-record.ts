import type { ProviderCommandIssued, ProviderCommandResult } from '../../kernel/commands.ts';
import type { LogRecord } from '../../kernel/record-log.ts';
import { all, isFields, isText, isWhole, parseFields, type Fields } from '../../kernel/json-fields.ts';

const RESULT_OUTCOMES: ReadonlySet<unknown> =
  new Set(['done', 'refused', 'ended', 'cancelled', 'retry']);

/** The fact about a provider command in a record; undefined when it lacks what it must have. */
export function readCommandRecord(
  record: LogRecord,
): ProviderCommandIssued | ProviderCommandResult | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined || !isCommon(fields)) return undefined;
  switch (fields['type']) {
    case 'ProviderCommandIssued':
      return isCommand(fields) ? fields as unknown as ProviderCommandIssued : undefined;
    case 'ProviderCommandResult':
      return isResult(fields) ? fields as unknown as ProviderCommandResult : undefined;
    default:
      return undefined;
  }
}

function isCommon(fields: Fields): boolean {
  return all(fields, ['command_id', 'provider', 'command_key'], isText) && isWhole(fields['at_ms']);
}

function isResult(fields: Fields): boolean {
  return all(fields, ['fence', 'attempt'], isWhole) && RESULT_OUTCOMES.has(fields['outcome']);
}

function isCommand({ body, country_id, client_id }: Fields): boolean {
  if (!isFields(body) || !isText(country_id) || !isText(client_id)) return false;
  switch (body['command']) {
    case 'start_tracking':
    case 'stop_tracking':
      return isTransport(body);
    case 'process_telemetry_events':
      return isTransport(body) && isText(body['id']);
    case 'check_planned_routes':
    case 'cancel_planned_routes':
      return Array.isArray(body['planned_routes']);
    default:
      return false;
  }
}

function isTransport({ transport }: Fields): boolean {
  return isFields(transport) && isWhole(transport['id']);
}
