import { contractFiles } from './bundles.ts';
import { isJsonObject } from './files.ts';
import { PHRASE_WORD } from './inline.ts';

let phrases: ReadonlyMap<string, string> | undefined;

/**
 * What a text of this pattern must be or have, as a phrase behind "must"; undefined for a pattern
 * beside which no schema says it. People read it in the place of the pattern.
 */
export function phraseOfPattern(pattern: string): string | undefined {
  phrases ??= new Map(contractFiles().files.flatMap(({ schema }) => [...phrasesIn(schema)]));
  return phrases.get(pattern);
}

function* phrasesIn(node: unknown): Generator<[pattern: string, phrase: string]> {
  if (typeof node !== 'object' || node === null) return;
  if (isJsonObject(node)) {
    const { pattern, [PHRASE_WORD]: phrase } = node;
    if (typeof pattern === 'string' && typeof phrase === 'string') yield [pattern, phrase];
  }
  for (const child of Object.values(node)) yield* phrasesIn(child);
}
