import { describe, expect, it } from 'vitest';
import { hardPhrases, hardPhrasesIn } from '../../../scripts/check/words/phrases.ts';
import type { Piece } from '../../../scripts/check/words/pieces.ts';
import { hardSentencesIn } from '../../../scripts/check/words/sentences.ts';

const prose = (text: string): Piece => ({ path: 'docs/a.md', line: 3, kind: 'prose', text });
const rulesIn = (text: string): readonly string[] => (
  hardPhrasesIn(prose(text)).map(({ rule }) => rule)
);

const seeds: Readonly<Record<string, string>> = {
  'what came of': 'It reports what came of the call.',
  'by itself': 'It starts by itself.',
  'for ever': 'It is kept for ever.',
  anew: 'The topic was made anew.',
  whoever: 'Whoever calls first wins.',
  'stands in': 'The name stands in the header.',
  'lies in': 'The record lies in the log.',
  tell: 'The client is told.',
  somebody: 'Somebody decides.',
  he: 'The client retries until he is admitted.',
  'under way': 'A call is under way.',
  'hardly ever': 'That happens hardly ever.',
  'goes by': 'The limit goes by the client.',
  'for want of': 'It fails for want of memory.',
  'what is to': 'The limit is to be checked.',
  'comes to': 'It comes to rest.',
  'brings to its end': 'It brings the call to its end.',
  'has to do with': 'That is no matter of the adapter.',
  'just now': 'It was rebuilt just now.',
  'in vain': 'It waits in vain.',
  'how far': 'It says how far the group is.',
};

describe('the prose gate', () => {
  it('has a seed for every phrase', () => {
    expect(Object.keys(seeds)).toEqual(hardPhrases.map(({ name }) => name));
  });

  it.each(Object.entries(seeds))('catches "%s"', (name, text) => {
    expect(rulesIn(text)).toEqual([name]);
  });

  it('says where, and what to write', () => {
    expect(hardPhrasesIn(prose('Plain.\nMade anew.'))).toEqual([
      { rule: 'anew', path: 'docs/a.md', line: 4, says: 'anew', instead: 'say again' },
    ]);
  });

  it('leaves out names and code', () => {
    expect(rulesIn('It calls `tell` and `he`.')).toEqual([]);
    expect(hardPhrasesIn({ ...prose('anew'), kind: 'name' })).toEqual([]);
  });

  it('lets plain sentences pass', () => {
    const text = 'The gateway appends the record. Then it answers 202 with the `ingest-id`.';
    expect(rulesIn(text)).toEqual([]);
    expect(hardSentencesIn([prose(text)])).toEqual([]);
  });
});

describe('the linter of sentences', () => {
  const rules = (text: string): readonly string[] => (
    hardSentencesIn([prose(text)]).map(({ rule }) => rule)
  );

  it('catches a sentence of more than 40 words', () => {
    const words = (count: number): string => `It ${'and reads '.repeat((count - 2) / 2)}records.`;
    expect(rules(words(42))).toEqual(['long sentence']);
    expect(rules(words(40))).toEqual([]);
  });

  it('reads each row of a list in columns as a sentence, and no code', () => {
    const row = (name: string): string => `  ${name}   ${'and reads '.repeat(12)}records\n`;
    expect(rules(`It has parts:\n${row('one')}${row('two')}`)).toEqual([]);
    expect(rules(`SELECT ${'a, and b, '.repeat(30)} FROM t`)).toEqual([]);
    expect(rules(`We SELECT ${'and read '.repeat(30)} it.`)).toEqual(['long sentence']);
    expect(rules(`{ "a": 1, "b": 2 } ${'and 3 '.repeat(30)} { "c": 3 }`)).toEqual([]);
    expect(rules(`It says "yes" (or "no") ${'and reads (twice) '.repeat(16)} records.`))
      .toEqual(['long sentence']);
  });

  it('catches passives that hide who acts in a sentence that is not short', () => {
    const hidden = 'The record is read and checked against what was known before, and then it is '
      + 'kept or given back with a reason, which must be written down and shown.';
    expect(rules(hidden)).toEqual(['hidden actor']);
    expect(rules('The record is read and the offset was committed.')).toEqual([]);
    expect(rules(hidden.replace('read', 'read by the worker'))).toEqual([]);
  });

  it('catches a word that is there twice', () => {
    expect(rules('It reads the the log.')).toEqual(['word twice']);
    expect(rules('Write --name NAME.')).toEqual([]);
  });
});
