import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ClientRecorded, TokenEvent } from '../../kernel/access.ts';
import type { LogRecord } from '../../kernel/record-log.ts';
import { all, isText, isTexts, isWhole, parseFields, type Fields } from '../common/json-fields.ts';

/** A fact about a client or a token. */
export type AccessFact = ClientRecorded | TokenEvent;

/** The fact in a record; undefined when it lacks what it must have. */
export function readAccessFact(record: LogRecord): AccessFact | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined) return undefined;
  const isFact = record.topic === TOPICS.clients.name ? isClient(fields) : isToken(fields);
  return isFact ? fields as unknown as AccessFact : undefined;
}

function isClient(fields: Fields): boolean {
  return fields['type'] === 'ClientRecorded'
    && all(fields, ['client_id', 'user_id', 'status'], isText)
    && all(fields, ['providers', 'audiences', 'scopes'], isTexts)
    && all(fields, ['version', 'at_ms'], isWhole)
    && typeof fields['name'] === 'string'
    && Array.isArray(fields['secrets']);
}

function isToken(fields: Fields): boolean {
  const isCommon = all(fields, ['token_hash', 'client_id'], isText)
    && isWhole(fields['expires_at_ms']);
  if (fields['type'] === 'TokenRevoked') return isCommon && isWhole(fields['at_ms']);
  return fields['type'] === 'TokenIssued'
    && isCommon
    && isText(fields['audience'])
    && isTexts(fields['scopes'])
    && isWhole(fields['issued_at_ms']);
}
