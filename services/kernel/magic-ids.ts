import { CODES } from './codes.ts';
import type { ItemOutcomes } from './ingest.ts';

const MAGIC = /^sandbox-([a-z_]{3,40})$/;

/** The word of a magic id such as `sandbox-rate_limited`; undefined for any other text. */
export function magicWordOf(text: string): string | undefined {
  return MAGIC.exec(text)?.[1];
}

/** How the items of a post to a sandbox end, where its id says so. */
export type OutcomeWord = keyof ItemOutcomes | 'waiting';

/** Every word for it, as receipts have them. */
export const OUTCOME_WORDS: readonly OutcomeWord[] = [
  'stored', 'duplicate', 'outlier', 'out_of_order', 'ignored_after_final', 'disputed',
  'dead_lettered', 'waiting',
];

/** How a provider or a carrier ends what a sandbox asks of it, where an id of the call says so. */
export const PARTNER_WORDS = [
  'queued', 'done', 'refused', 'ended', 'authorized', 'parked',
] as const;

/** One of {@link PARTNER_WORDS}. */
export type PartnerWord = (typeof PARTNER_WORDS)[number];

/** True for a word by which some call to a sandbox is answered. */
export function isMagicWord(word: string): boolean {
  return Object.hasOwn(CODES, word)
    || [...OUTCOME_WORDS, ...PARTNER_WORDS].some((each) => each === word);
}
