/** A list as one text. Names in it hold no comma: their schemas forbid it. */
export function toCsv(names: readonly string[]): string {
  return names.join(',');
}

/** The list of a text; the empty text is the empty list. */
export function fromCsv(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}
