import strings from './strings.json' with { type: 'json' };

const LONG = 70_000;

/** Every naughty string as a JSON text, since two of ours cannot be written in any other way. */
export function naughtyTexts(): readonly string[] {
  const listed = strings.map((text) => (
    JSON.stringify(Buffer.from(text, 'base64').toString('utf8'))
  ));
  return [...listed, String.raw`"a\u0000b"`, String.raw`"a\ud800b"`, String.raw`"a\udc00b"`,
    JSON.stringify('x'.repeat(LONG))];
}
