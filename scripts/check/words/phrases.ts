import type { Offence } from './banned.ts';
import type { Piece } from './pieces.ts';

/** A phrase that a reader must read twice, and the usual words for it. */
interface HardPhrase {
  readonly name: string;
  readonly pattern: RegExp;
  readonly say: string;
}

const phrase = (name: string, pattern: RegExp, say: string): HardPhrase => ({ name, pattern, say });

/** Phrases that sound translated, or speak of a program as of a person. */
export const hardPhrases: readonly HardPhrase[] = [
  phrase('what came of', /\bwhat (came|comes|became|becomes) of\b/gi, 'the result of'),
  phrase('by itself', /\bby (itself|themselves)\b/gi, 'alone, automatically'),
  phrase('for ever', /\bfor ever\b/gi, 'forever, permanently'),
  phrase('anew', /\banew\b/gi, 'again'),
  phrase('whoever', /\b(whoever|whomever|whosever)\b/gi, 'a caller that, any process that'),
  phrase('stands in', /\b(stands?|stood|standing) (in|at|beside|there|on|for|before)\b/gi, 'is in'),
  phrase('lies in', /\b(lies|lay) (in|at|there|on|beside|with|below)\b/gi, 'is in'),
  phrase('tell', /\b(told|tells?|telling)\b/gi, 'report, say, return'),
  phrase('somebody', /\b(some|any|every|no)body\b/gi, 'name the caller, client or process'),
  phrase('he', /\b(he|him|his|himself)\b/gi, 'it: a client is "it"'),
  phrase('under way', /\b(under|on its|on their|on the) way\b/gi, 'in progress, in flight'),
  phrase('hardly ever', /\bhardly (ever|any)\b/gi, 'rarely, few'),
  phrase('goes by', /\b(goes|go|went) by\b/gi, 'depends on, uses'),
  phrase('for want of', /\bfor want of\b/gi, 'without'),
  phrase('what is to', /\b(is|are|was|were) to be (?!found\b)/gi, 'must be, will be'),
  phrase('comes to', /\b(comes|come|came) to (nothing|rest|its end|an end|be|light)\b/gi, 'ends'),
  phrase('brings to its end', /\bto (its|their|an) end\b/gi, 'finishes'),
  phrase('has to do with', /\b(is|are) no (word|matter|business) of\b|\bhas nothing to do\b/gi,
    'is not part of'),
  phrase('just now', /\b(just now|by and by|ere|hence|thereof|whence|wherein)\b/gi, 'currently, so'),
  phrase('in vain', /\b(in vain|at all events|of late|long since)\b/gi, 'without effect'),
  phrase('how far', /\bhow far (it|they|he|the|a|an)\b/gi, 'the progress of'),
];

/** The hard phrases in a piece of prose; code in backticks is no prose. */
export function hardPhrasesIn(piece: Piece): readonly Offence[] {
  if (piece.kind !== 'prose') return [];
  const text = piece.text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  return hardPhrases.flatMap(({ name, pattern, say }) => (
    [...text.matchAll(pattern)].map((match) => {
      const line = piece.line + text.slice(0, match.index).split('\n').length - 1;
      return { rule: name, path: piece.path, line, says: match[0], instead: `say ${say}` };
    })
  ));
}
