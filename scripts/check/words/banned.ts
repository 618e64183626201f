import type { AllowedPhrase, BannedPhrase, Glossary } from './glossary.ts';
import type { Piece } from './pieces.ts';
import { wordsIn } from './split-words.ts';

/** One offence: which rule, where, and what to do instead. */
export interface Offence {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly says: string;
  readonly instead: string;
}

/** The banned phrases in a piece, except where they are part of a term or an allowed phrase. */
export function bannedIn(glossary: Glossary, piece: Piece): readonly Offence[] {
  // In prose a word in backticks is code: its name is read where it is declared.
  const words = wordsIn(piece.kind === 'prose' ? piece.text.replace(/`[^`]*`/g, ' ') : piece.text);
  const allowed = coveredBy(glossary.allowed, piece.path, words);
  return glossary.banned.flatMap((banned) => {
    if (banned.namesOnly && piece.kind !== 'name') return [];
    return placesOf(banned.words, words)
      .filter((at) => banned.words.some((_, index) => !allowed.has(at + index)))
      .map((at) => offence(banned, piece, words.slice(at, at + banned.words.length)));
  });
}

function offence(banned: BannedPhrase, piece: Piece, said: readonly string[]): Offence {
  const { path, line } = piece;
  const shown = piece.kind === 'name' && line > 0 ? piece.text : said.join(' ');
  return { rule: banned.phrase, path, line, says: shown, instead: `say ${banned.say}` };
}

/** The words that are part of an allowed phrase, by their index. */
function coveredBy(
  allowed: readonly AllowedPhrase[], path: string, words: readonly string[],
): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const phrase of allowed) {
    const starts = placesOf(phrase.words, words);
    if (starts.length === 0 || !phrase.where.test(path)) continue;
    for (const at of starts) phrase.words.forEach((_, index) => covered.add(at + index));
  }
  return covered;
}

/** Where a phrase begins in a row of words. */
function placesOf(phrase: readonly string[], words: readonly string[]): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at + phrase.length <= words.length; at += 1) {
    if (phrase.every((word, index) => isForm(word, words[at + index] ?? ''))) starts.push(at);
  }
  return starts;
}

/** The word itself, its plural, or with `*` at its end any word that begins so. */
function isForm(word: string, said: string): boolean {
  if (word.endsWith('*')) return said.startsWith(word.slice(0, -1));
  return said === word || said === `${word}s` || said === `${word}es`;
}
