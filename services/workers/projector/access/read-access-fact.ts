import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { ClientRecorded, TokenEvent } from '../../../kernel/access.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import {
  all, isFields, isText, isTexts, isWhole, parseFields, type Fields,
} from '../../../kernel/json-fields.ts';

/** A fact about a client, a token or a party. */
export type AccessFact = ClientRecorded | TokenEvent | PartyRecorded;

/** The fact in a record; undefined when it lacks what it must have. */
export function readAccessFact(record: LogRecord): AccessFact | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined) return undefined;
  return isFactOf(record.topic, fields) ? fields as unknown as AccessFact : undefined;
}

function isFactOf(topic: string, fields: Fields): boolean {
  if (topic === TOPICS.clients.name) return isClient(fields);
  return topic === TOPICS.parties.name ? isParty(fields) : isToken(fields);
}

function isParty(fields: Fields): boolean {
  return fields['type'] === 'PartyRecorded'
    && all(fields, ['party_id', 'kind', 'base_url', 'status'], isText)
    && all(fields, ['version', 'at_ms'], isWhole)
    && isTexts(fields['contracts_requiring_agency'])
    && isFields(fields['authentication']);
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
