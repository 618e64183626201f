/** A part of a body, from one byte up to another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A token of JSON; strings with their quotes. */
export interface Token extends Span {
  readonly kind: 'text' | 'number' | 'word' | 'mark';
}

/** A member of an object: its name with quotes, and its value. */
export interface Member extends Span {
  readonly name: Span;
  readonly value: Span;
}

/** A good body and where its parts stand, so that it can be broken on purpose. */
export interface IndexedBody {
  readonly bytes: Buffer;
  readonly tokens: readonly Token[];
  readonly members: readonly Member[];
  /** Items of all lists. */
  readonly items: readonly Span[];
}

const TOKENS = /"[^"]*"|-?\d[\d.]*|true|false|null|[{}[\],:]/g;

/** Finds the parts of a body that is good and has no escapes; places are bytes. */
export function indexBody(bytes: Buffer): IndexedBody {
  // One character a byte: the places in the text are those in the bytes.
  const text = bytes.toString('latin1');
  const tokens = [...text.matchAll(TOKENS)].map(({ 0: word, index }): Token => ({
    start: index, end: index + word.length, kind: kindOf(word),
  }));
  const members: Member[] = [];
  const items: Span[] = [];
  let at = 0;

  const markAt = (): string => text[tokens[at]?.start ?? text.length] ?? '';
  const skip = (): Token => {
    const token = tokens[at] ?? { start: text.length, end: text.length, kind: 'mark' as const };
    at += 1;
    return token;
  };

  function value(): Span {
    const mark = markAt();
    const first = skip();
    if (mark !== '{' && mark !== '[') return first;
    const close = mark === '{' ? '}' : ']';
    while (markAt() !== close && markAt() !== '') {
      if (mark === '{') member();
      else items.push(value());
      if (markAt() === ',') skip();
    }
    return { start: first.start, end: skip().end };
  }

  function member(): void {
    const name = skip();
    skip();
    const itsValue = value();
    members.push({ start: name.start, end: itsValue.end, name, value: itsValue });
  }

  value();
  return { bytes, tokens, members, items };
}

function kindOf(word: string): Token['kind'] {
  const [first = ''] = word;
  if (first === '"') return 'text';
  if (first === '-' || (first >= '0' && first <= '9')) return 'number';
  return first === 't' || first === 'f' || first === 'n' ? 'word' : 'mark';
}
