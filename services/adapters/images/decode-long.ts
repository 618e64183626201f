import type { ProofImage } from '../../kernel/images.ts';
import type { LongText } from '../../kernel/long-text.ts';
import { piecesOfText } from '../../kernel/long-texts.ts';
import type { Steps } from '../../kernel/steps.ts';
import { DATA_URI, isBase64Uri } from './decode.ts';
import { mediaTypeOf } from './media-type.ts';

type Pieces = Generator<string, void>;

/** What `decodeImage` makes of the text, in steps of a bounded size. */
export function* decodeLongImage(
  text: LongText, piecesOf: (text: LongText) => Pieces = piecesOfText,
): Steps<ProofImage | undefined> {
  const bytes = yield* decoded(text, piecesOf(text));
  if (bytes?.length === 0) return undefined;
  const mediaType = bytes === undefined ? undefined : mediaTypeOf(bytes);
  if (bytes !== undefined && mediaType !== undefined) return { bytes, media_type: mediaType };
  return {
    bytes: yield* bytesOf(text, piecesOf(text)),
    media_type: 'unknown',
    flag: bytes === undefined ? 'not_base64' : 'unknown_type',
  };
}

/** Longer than the head of a data URI may be. */
const HEAD_CHARACTERS = 256;

function* decoded(text: LongText, pieces: Pieces): Steps<Buffer | undefined> {
  let begin = '';
  while (begin.length < HEAD_CHARACTERS) {
    const next = pieces.next();
    if (next.done === true) break;
    begin = (begin + next.value).trimStart();
    yield;
  }
  const uri = DATA_URI.exec(begin);
  if (uri === null) return yield* decodedBase64(text, startingWith(begin, pieces));
  const data = unescaped(startingWith(begin.slice(uri[0].length), pieces));
  try {
    return isBase64Uri(uri)
      ? yield* decodedBase64(text, data) : yield* bytesOf(text, trimmed(data));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function* startingWith(begin: string, pieces: Pieces): Pieces {
  yield begin;
  yield* pieces;
}

const BODY = /^[\sA-Za-z0-9+/_-]*$/;
const PADDING = /^={1,2}\s*$/;
const GROUP_CHARACTERS = 4;

/** Undefined for what is no Base64; white space around it is none of it. */
function* decodedBase64(text: LongText, pieces: Pieces): Steps<Buffer | undefined> {
  const target = Buffer.allocUnsafe(text.written.length);
  let length = 0;
  let rest = '';
  let padding = '';
  for (const piece of pieces) {
    const end = padding === '' ? piece.indexOf('=') : 0;
    const body = end < 0 ? piece : piece.slice(0, end);
    if (end >= 0) {
      padding += piece.slice(end);
      if (padding !== '' && !PADDING.test(padding)) return undefined;
      // One blank says as much as many.
      padding = padding.replace(/\s+$/, ' ');
    }
    if (!BODY.test(body)) return undefined;
    const ready = rest + body.replace(/\s+/g, '');
    const whole = ready.length - ready.length % GROUP_CHARACTERS;
    length += target.write(ready.slice(0, whole), length, 'base64');
    rest = ready.slice(whole);
    yield;
  }
  length += target.write(rest, length, 'base64');
  return target.subarray(0, length);
}

/** The text itself: in UTF-8 it takes no more bytes than it was written with. */
function* bytesOf({ written }: LongText, pieces: Pieces): Steps<Buffer> {
  const target = Buffer.allocUnsafe(written.length);
  let length = 0;
  for (const piece of pieces) {
    length += target.write(piece, length, 'utf8');
    yield;
  }
  return target.subarray(0, length);
}

/** Without white space around all of it. */
function* trimmed(pieces: Pieces): Pieces {
  let waiting = '';
  let isBegun = false;
  for (const piece of pieces) {
    const text: string = isBegun ? waiting + piece : piece.trimStart();
    const kept: string = text.trimEnd();
    isBegun ||= kept !== '';
    waiting = isBegun ? text.slice(kept.length) : '';
    yield kept;
  }
}

// An escape that is not whole yet, or bytes of a character whose last ones may follow.
const UNFINISHED = /(?:%[C-Fc-f][\dA-Fa-f](?:%[89ABab][\dA-Fa-f]){0,2})?(?:%[\dA-Fa-f]?)?$/;

/** With `%` escapes decoded; throws a URIError for one that is none. */
function* unescaped(pieces: Pieces): Pieces {
  let rest = '';
  for (const piece of pieces) {
    const text = rest + piece;
    const end = UNFINISHED.exec(text)?.index ?? text.length;
    rest = text.slice(end);
    yield decodeURIComponent(text.slice(0, end));
  }
  yield decodeURIComponent(rest);
}
