import { jsonPieces, type JsonForm } from '../../services/kernel/json-pieces.ts';
import type { SentBody } from '../../services/kernel/http.ts';
import type { LongTexts } from '../../services/kernel/long-text.ts';
import { piecesOfText } from '../../services/kernel/long-texts.ts';

/** All pieces of the JSON of a body, as one text. */
export function textOfSent({ value, texts }: SentBody, form: JsonForm = {}): string {
  return Buffer.concat([...jsonPieces(value, texts, form)]).toString('utf8');
}

/** A value with the long texts in the places of their stand-ins. */
export function withLongTexts(value: unknown, texts: LongTexts): unknown {
  if (typeof value === 'string') {
    const text = texts.get(value);
    return text === undefined ? value : [...piecesOfText(text)].join('');
  }
  if (Array.isArray(value)) return value.map((item) => withLongTexts(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value)
    .map(([name, member]) => [name, withLongTexts(member, texts)]));
}
