const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** The words of a text in lower case, identifiers taken apart: `keptRecordId` is three words. */
export function wordsIn(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}
