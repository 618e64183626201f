import { CODES, type Code } from '../../kernel/codes.ts';
import type { Call, Refusal } from '../../kernel/http.ts';
import { pointerStep } from '../../kernel/json-duplicates.ts';
import {
  isMagicWord, magicWordOf, OUTCOME_WORDS, type OutcomeWord, type PartnerWord,
} from '../../kernel/magic-ids.ts';
import { nearName } from '../../kernel/near-name.ts';
import { ERRORS } from '../../../schemas/generated/catalog.ts';
import type { OperationId } from './catalog.ts';

/**
 * What a magic id in a call asks for; nothing where the call is an ordinary one. `ordered` is the
 * refusal that it names, `refusal` the one that a wrong magic id gets.
 */
export type MagicAnswer =
  | { readonly kind: 'ordered'; readonly refusal: Refusal }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'outcome'; readonly outcome: OutcomeWord }
  | { readonly kind: 'partner'; readonly partner: PartnerWord }
  | { readonly kind: 'nothing' };

const NOTHING: MagicAnswer = { kind: 'nothing' };

/** Operations whose items have outcomes in receipts. */
const WITH_RECEIPTS: readonly OperationId[] = [
  'send-locations', 'send-telemetry-events', 'send-deferred-events', 'send-delivery-locations',
  'push-notifications',
];

/** Outcomes that only notifications have, and those that only rows of devices have. */
const OF_NOTIFICATIONS: readonly OutcomeWord[] = ['out_of_order', 'ignored_after_final', 'disputed'];
const OF_ROWS: readonly OutcomeWord[] = ['outlier'];

/** How a partner may end what these operations ask of it. */
const ENDS: Partial<Record<OperationId, readonly PartnerWord[]>> = {
  'send-command': ['queued', 'done', 'refused', 'ended'],
  'send-authorization': ['queued', 'authorized', 'parked'],
  'resend-authorization': ['queued', 'authorized', 'parked'],
};

/** A magic word, and a pointer to where the call has it. */
interface FoundWord {
  readonly word: string;
  readonly pointer: string;
}

/**
 * Reads what a call to a sandbox asks for: the first parameter of its path or query, or member of
 * its body, that is a magic id decides. A word that means nothing anywhere is an ordinary id; one
 * that this operation never answers with, or that is near to one of its words, is refused, and the
 * refusal names those that it has.
 */
export function askedBy(id: string, call: Pick<Call, 'params' | 'query' | 'body'>): MagicAnswer {
  const found = wordIn(call.params, '/path') ?? wordIn(call.query, '/query')
    ?? wordIn(call.body, '');
  if (found === undefined) return NOTHING;
  const { word, pointer } = found;
  const codes = documentedCodes(id);
  if (isCode(word) && codes.includes(word)) {
    return { kind: 'ordered', refusal: refusalOf(word, pointer) };
  }
  const [outcomes, partners] = [outcomesOf(id), partnerWordsOf(id)];
  const outcome = outcomes.find((each) => each === word);
  if (outcome !== undefined) return { kind: 'outcome', outcome };
  const partner = partners.find((each) => each === word);
  if (partner !== undefined) return { kind: 'partner', partner };
  const words = [...outcomes, ...partners, ...codes];
  return isMagicWord(word) || nearName(word, words) !== undefined
    ? { kind: 'refusal', refusal: neverAnswered(found, words) }
    : NOTHING;
}

/** Every code that an operation, or the call that it is the dry run of, documents. */
export function documentedCodes(id: string): readonly Code[] {
  return Object.hasOwn(ERRORS, id) ? ERRORS[id as OperationId] : [];
}

/** Every outcome that items of a call of this operation can have. */
export function outcomesOf(id: string): readonly OutcomeWord[] {
  if (!WITH_RECEIPTS.some((each) => each === id)) return [];
  const others = id === 'push-notifications' ? OF_ROWS : OF_NOTIFICATIONS;
  return OUTCOME_WORDS.filter((word) => !others.includes(word));
}

/** Every way in which a partner can end what this operation asks of it. */
export function partnerWordsOf(id: string): readonly PartnerWord[] {
  return Object.hasOwn(ENDS, id) ? ENDS[id as OperationId] ?? [] : [];
}

/** The first magic id in a value; an array is searched in its order. */
function wordIn(value: unknown, pointer: string): FoundWord | undefined {
  if (typeof value === 'string') {
    const word = magicWordOf(value);
    return word === undefined ? undefined : { word, pointer };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = wordIn(member, `${pointer}/${pointerStep(name)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCode(word: string): word is Code {
  return Object.hasOwn(CODES, word);
}

// As the one of a call that is not in the ledger yet.
const RETRY_AFTER_SECONDS: Partial<Record<Code, number>> = { ingest_not_found: 2 };

/** Where the fault always is, of codes whose real refusals name a place; of others, of the id. */
const POINTERS: Partial<Record<Code, string>> = {
  telemetry_request_unknown: '/id', device_not_allowed: '/device_id',
  tracking_not_started: '/device_id', tracking_stopped: '/device_id',
};
const WITH_POINTER: readonly Code[] = [
  'validation_failed', 'reserved_name', 'missing_parameter', 'invalid_parameter',
];

function refusalOf(code: Code, idPointer: string): Refusal {
  const detail = `${CODES[code].meaning} A magic id asked for this answer.`;
  const pointer = POINTERS[code] ?? (WITH_POINTER.includes(code) ? idPointer : undefined);
  const retryAfterSeconds = RETRY_AFTER_SECONDS[code];
  return {
    code, detail,
    ...(pointer === undefined
      ? {} : { errors: [{ pointer, code: faultIn(code), message: detail }] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** A body that fails its schema has codes of its fields. */
function faultIn(code: Code): Code {
  return code === 'validation_failed' ? 'required' : code;
}

function neverAnswered({ word, pointer }: FoundWord, words: readonly string[]): Refusal {
  const meant = nearName(word, words);
  const question = meant === undefined ? '' : ` Did you mean sandbox-${meant}?`;
  const message = `No answer of this operation is sandbox-${word}; it has ${words.join(', ')}.`
    + question;
  return {
    code: 'invalid_parameter', detail: message,
    errors: [{ pointer, code: 'invalid_parameter', message }],
  };
}
