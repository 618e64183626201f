import { CODES, type Code } from '../../kernel/codes.ts';
import type { Call, Refusal } from '../../kernel/http.ts';
import { magicWordOf, OUTCOME_WORDS, type OutcomeWord } from '../../kernel/magic-ids.ts';
import { ERRORS } from '../../../schemas/generated/catalog.ts';
import type { OperationId } from './catalog.ts';

/** What a magic id in a call asks for; nothing where the call is an ordinary one. */
export type MagicAnswer =
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'outcome'; readonly outcome: OutcomeWord }
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

/**
 * Reads what a call to a sandbox asks for: the first parameter of its path or query, or member of
 * its body, that is a magic id decides. A word that means nothing anywhere is an ordinary id; one
 * that this operation never answers with is refused, and the refusal names those that it does.
 */
export function askedBy(id: string, call: Pick<Call, 'params' | 'query' | 'body'>): MagicAnswer {
  const word = wordIn(Object.values(call.params)) ?? wordIn(Object.values(call.query))
    ?? wordIn(call.body);
  if (word === undefined) return NOTHING;
  const codes = documentedCodes(id);
  if (isCode(word) && codes.includes(word)) return { kind: 'refusal', refusal: refusalOf(word) };
  const outcomes = outcomesOf(id);
  const outcome = outcomes.find((each) => each === word);
  if (outcome !== undefined) return { kind: 'outcome', outcome };
  return isCode(word) || OUTCOME_WORDS.some((each) => each === word)
    ? { kind: 'refusal', refusal: neverAnswered(word, [...codes, ...outcomes]) }
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

/** The first word of a magic id in a value; an array is searched in its order. */
function wordIn(value: unknown): string | undefined {
  if (typeof value === 'string') return magicWordOf(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const word = wordIn(member);
    if (word !== undefined) return word;
  }
  return undefined;
}

function isCode(word: string): word is Code {
  return Object.hasOwn(CODES, word);
}

// As the one of a call that is not in the ledger yet.
const RETRY_AFTER_SECONDS: Partial<Record<Code, number>> = { ingest_not_found: 2 };

/** Where the fault is said to be, of codes whose real refusals always name a place. */
const POINTERS: Partial<Record<Code, string>> = {
  validation_failed: '/magic_id', reserved_name: '/magic_id', telemetry_request_unknown: '/id',
  missing_parameter: '/query/magic_id', invalid_parameter: '/query/magic_id',
  device_not_allowed: '/device_id', tracking_not_started: '/device_id',
  tracking_stopped: '/device_id',
};

function refusalOf(code: Code): Refusal {
  const detail = `${CODES[code].meaning} A magic id asked for this answer.`;
  const pointer = POINTERS[code];
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

function neverAnswered(word: string, words: readonly string[]): Refusal {
  const message = `No answer of this operation is sandbox-${word}; it has ${words.join(', ')}.`;
  return {
    code: 'invalid_parameter', detail: message,
    errors: [{ pointer: '/query/magic_id', code: 'invalid_parameter', message }],
  };
}

