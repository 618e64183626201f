/** Bytes at the beginning of a body that say what it is. */
const GZIP = [0x1f, 0x8b];
const UTF_16 = [[0xff, 0xfe], [0xfe, 0xff]];
const LINE_FEED = 0x0a;
/** Behind so many bytes no line is counted, and so many are looked through for a comma. */
const LINES_BYTES_MAX = 65_536;
const BLANKS_MAX = 1_024;
const QUOTED_CLOSER = /^[\]}]/;

/** True for bytes that begin as gzip does. */
export function isGzip(bytes: Buffer): boolean {
  return beginsWith(bytes, GZIP);
}

/** What bytes are that are not UTF-8, as far as their beginning says it. */
export function notUtf8(bytes: Buffer, badAt: number): string {
  if (isGzip(bytes)) {
    return 'The body is packed by gzip; say so by Content-Encoding: gzip.';
  }
  if (UTF_16.some((mark) => beginsWith(bytes, mark))) return 'The body is UTF-16; send UTF-8.';
  return `The body is not valid UTF-8 (byte ${badAt + 1}).`;
}

/**
 * A fault of JSON in words: the whole body where that is what is wrong, else what was expected and
 * where. The line and the column are given near the beginning of a body that has several lines.
 */
export function jsonFault(bytes: Buffer, detail: string, at: number): string {
  const text = bytes.toString('utf8', 0, 32);
  if (text.trim() === '' && bytes.length <= at) return 'The body is empty; a JSON value is expected.';
  if (bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0)) return 'The body is UTF-16; send UTF-8.';
  return `${betterDetail(bytes, detail, at, text)} (${whereIs(bytes, at)}).`;
}

function betterDetail(bytes: Buffer, detail: string, at: number, text: string): string {
  const rest = bytes.toString('utf8', at, at + 4);
  if (QUOTED_CLOSER.test(rest) && lastMarkBefore(bytes, at) === ',') {
    return `The comma before ${rest[0] ?? ''} is one too many`;
  }
  if (/^\/[/*]/.test(rest)) return 'Comments are not JSON';
  if (/^(NaN|Inf)/.test(rest)) return 'NaN and Infinity are not JSON';
  const said = detail.replace(/\.$/, '');
  if (at > 0) return rest.startsWith("'") && said.includes('A key') ? 'A key is in double quotes' : said;
  if (/^[\w.-]+=/.test(text)) return `${said}; the body looks like a form`;
  return text.startsWith('<') ? `${said}; the body looks like XML or HTML` : said;
}

function lastMarkBefore(bytes: Buffer, at: number): string {
  let before = at - 1;
  const least = at - BLANKS_MAX;
  while (before >= 0 && before >= least && /\s/.test(String.fromCharCode(bytes[before] ?? 0))) before -= 1;
  return String.fromCharCode(bytes[before] ?? 0);
}

function whereIs(bytes: Buffer, at: number): string {
  const byte = `byte ${at + 1}`;
  if (at > LINES_BYTES_MAX || bytes.indexOf(LINE_FEED) < 0) return byte;
  const before = bytes.subarray(0, at);
  const lineStart = before.lastIndexOf(LINE_FEED) + 1;
  let line = 1;
  for (let from = 0; from < lineStart; from = before.indexOf(LINE_FEED, from) + 1) line += 1;
  const column = before.toString('utf8', lineStart).length + 1;
  return `${byte}, line ${line}, column ${column}`;
}

function beginsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
