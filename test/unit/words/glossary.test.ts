import { describe, expect, it } from 'vitest';
import { bannedIn } from '../../../scripts/check/words/banned.ts';
import { parseGlossary, readGlossary } from '../../../scripts/check/words/glossary.ts';
import { isOurs, piecesOf } from '../../../scripts/check/words/pieces.ts';
import { wordsIn } from '../../../scripts/check/words/split-words.ts';
import { typeNamesDeclaredTwice } from '../../../scripts/check/words/type-names.ts';
import { tidyFile } from '../../../scripts/check/tidy/tree.ts';

const glossary = parseGlossary([
  '| Term | Meaning | Source | Not | Not as a name |',
  '|---|---|---|---|---|',
  '| dead letter | Not processed. | usual | letter*, given up | |',
  '| RecordId, record id | Names a record. | Kafka | log position | place |',
  '| Phrase | Sense | Where |',
  '| notification place | A field. | test/journey/**, docs/*.md |',
].join('\n'));

function offencesIn(path: string, text: string): readonly string[] {
  return piecesOf(tidyFile(path, text)).flatMap((piece) => bannedIn(glossary, piece))
    .map(({ line, rule, says, instead }) => `${line} ${rule} in ${says}: ${instead}`);
}

describe('words of a name', () => {
  it.each([
    ['keptRecordId', ['kept', 'record', 'id']],
    ['HTTPServer', ['http', 'server']],
    ['rastro_dead_letters_total', ['rastro', 'dead', 'letters', 'total']],
    ['test/unit/key-order.test.ts', ['test', 'unit', 'key', 'order', 'test', 'ts']],
  ])('%s', (name, words) => {
    expect(wordsIn(name)).toEqual(words);
  });
});

describe('the glossary gate', () => {
  it.each([
    ['an identifier', 'services/a.ts', 'const keptLetters = 1;\n',
      ['1 letter* in keptLetters: say dead letter']],
    ['a property', 'services/a.ts', 'const a = { givenUp: 1 };\n',
      ['1 given up in givenUp: say dead letter']],
    ['a file name', 'services/letter-box.ts', 'export {};\n',
      ['0 letter* in letter: say dead letter']],
    ['a folder', 'services/letters/a.ts', 'export {};\n', ['0 letter* in letters: say dead letter']],
    ['a metric', 'services/a.ts', "const a = 'rastro_letters_total';\n",
      ['1 letter* in rastro_letters_total: say dead letter']],
    ['a comment', 'services/a.ts', 'f();\n// It was given up.\n',
      ['2 given up in given up: say dead letter']],
    ['a docstring', 'services/a.ts', '/** Reads letters. */\nf();\n',
      ['1 letter* in letters: say dead letter']],
    ['a text', 'services/a.ts', "f('no letter here');\n", ['1 letter* in letter: say dead letter']],
    ['a page', 'docs/a.md', '# A\n\nEach letter.\n', ['3 letter* in letter: say dead letter']],
    ['a comment of SQL', 'infra/a.sql', '-- One letter\nSELECT 1\n',
      ['1 letter* in letter: say dead letter']],
    ['a description of a schema', 'schemas/records/a.json', '{\n"description": "A letter."\n}\n',
      ['2 letter* in letter: say dead letter']],
    ['a name that sentences may use', 'services/a.ts', '// In place.\nconst place = 1;\n',
      ['2 place in place: say RecordId, record id']],
  ])('catches a banned word in %s', (_, path, text, offences) => {
    expect(offencesIn(path, text)).toEqual(offences);
  });

  it.each([
    ['a term that contains it', 'services/a.ts', 'const deadLetters = 1; // A dead letter.\n'],
    ['an allowed phrase in its files', 'test/journey/a.ts', 'type A = NotificationPlace;\n'],
    ['code in a comment', 'services/a.ts', '// As `letter` says.\nf();\n'],
    ['code in a page', 'docs/a.md', '# A\n\n```\nletter\n```\n\nSee `letter`.\n'],
    ['a wire name', 'services/a.ts', "const a = { letter_id: 1, b: 'letter' };\n"],
  ])('lets %s pass', (_, path, text) => {
    expect(offencesIn(path, text)).toEqual([]);
  });

  it('does not let an allowed phrase pass in other files', () => {
    expect(offencesIn('services/a.ts', 'type A = NotificationPlace;\n')).toHaveLength(1);
  });

  it('leaves out the contract, generated files and its own lists', () => {
    expect(isOurs('docs/interface.md')).toBe(false);
    expect(isOurs('schemas/generated/types.ts')).toBe(false);
    expect(isOurs('docs/glossary.md')).toBe(false);
    expect(isOurs('scripts/check/words/phrases.ts')).toBe(false);
    expect(isOurs('services/kernel/codes.ts')).toBe(true);
  });

  it('refuses a table that it cannot read', () => {
    expect(() => parseGlossary('| a | b |\n')).toThrow('2 columns');
    expect(() => parseGlossary('| a | | ours | | |\n')).toThrow('no meaning');
  });

  it('reads the glossary of this tree', () => {
    const { terms, banned } = readGlossary(process.cwd());
    expect(terms).toContain('RecordId');
    expect(new Set(terms).size).toBe(terms.length);
    expect(banned.map(({ phrase }) => phrase)).toEqual(expect.arrayContaining(['keeper*', 'share']));
  });
});

describe('names of types', () => {
  const one = tidyFile('services/a.ts', 'export interface Step { a: 1 }\ninterface Own { a: 1 }\n');

  it('are caught when two files export one', () => {
    const other = tidyFile('services/b.ts', 'export type Step = 1;\ntype Own = 1;\n');
    expect(typeNamesDeclaredTwice([one, other])).toMatchObject([{ path: 'services/b.ts', says: 'Step' }]);
  });

  it('are not caught when a file only exports them again', () => {
    const again = tidyFile('services/b.ts', "export type { Step } from './a.ts';\n");
    expect(typeNamesDeclaredTwice([one, again])).toEqual([]);
  });
});
