import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsIn } from './split-words.ts';

/** The page that the gate reads. */
export const GLOSSARY = 'docs/glossary.md';

/** A word or phrase that may not be used, and the term to use. `wordsOf` is in lower case. */
export interface BannedPhrase {
  readonly phrase: string;
  readonly words: readonly string[];
  readonly say: string;
  /** True when only names may not use it: identifiers, file names, names of metrics. */
  readonly namesOnly: boolean;
}

/** A phrase that contains a banned word and is still right, in some files or everywhere. */
export interface AllowedPhrase {
  readonly words: readonly string[];
  readonly where: RegExp;
}

/** What docs/glossary.md says, as data. */
export interface Glossary {
  readonly terms: readonly string[];
  readonly banned: readonly BannedPhrase[];
  readonly allowed: readonly AllowedPhrase[];
}

const TERM_COLUMNS = 5;
const ALLOWED_COLUMNS = 3;

/** Reads the glossary of the tree under `root`. */
export function readGlossary(root: string): Glossary {
  return parseGlossary(readFileSync(join(root, GLOSSARY), 'utf8'));
}

/**
 * Reads the two kinds of table of the glossary by their number of columns: terms (term, meaning,
 * source, not, not as a name) and exceptions (phrase, sense, where). Throws on another row.
 */
export function parseGlossary(markdown: string): Glossary {
  const rows = markdown.split('\n').filter(isRow).map(cellsOf);
  const terms: string[] = [];
  const banned: BannedPhrase[] = [];
  const allowed: AllowedPhrase[] = [];
  for (const cells of rows) {
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = cells;
    if (cells.length === TERM_COLUMNS) {
      if (first === '' || second === '') throw new Error(`${GLOSSARY}: a term has no meaning`);
      terms.push(...listOf(first));
      for (const phrase of listOf(fourth)) banned.push(bannedPhrase(phrase, first, false));
      for (const phrase of listOf(fifth)) banned.push(bannedPhrase(phrase, first, true));
    } else if (cells.length === ALLOWED_COLUMNS) {
      const where = globsOf(listOf(third));
      for (const phrase of listOf(first)) allowed.push({ words: wordsIn(phrase), where });
    } else throw new Error(`${GLOSSARY}: a row has ${cells.length} columns: ${cells.join(' | ')}`);
  }
  const everywhere = terms.map((term) => ({ words: wordsIn(term), where: /^/ }));
  return { terms, banned, allowed: [...everywhere, ...allowed] };
}

function isRow(line: string): boolean {
  return line.startsWith('| ') && !line.startsWith('| Term |') && !line.startsWith('| Phrase |');
}

function cellsOf(line: string): readonly string[] {
  return line.trim().slice(1, -1).split('|').map((cell) => cell.trim());
}

/** Names in a cell: separated by commas, in backticks or not. */
function listOf(cell: string): readonly string[] {
  return cell.split(',').map((name) => name.replaceAll('`', '').trim()).filter((name) => name !== '');
}

function bannedPhrase(phrase: string, say: string, namesOnly: boolean): BannedPhrase {
  return { phrase, words: phrase.toLowerCase().split(' '), say, namesOnly };
}

/** Globs as one expression: `**` for any path, `*` for a part of a name. */
function globsOf(globs: readonly string[]): RegExp {
  const sources = globs.map((glob) => glob
    .replace(/[.+()]/g, '\\$&').replaceAll('**', '\0').replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*'));
  return new RegExp(`^(${sources.join('|')})$`);
}
