const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;

/**
 * Every name, text, number and word of a JSON text, in one form of writing each. Numbers keep each
 * digit, or are what a double of them is.
 */
export function tokensOf(json: string, areDigitsKept = true): readonly string[] {
  return (json.match(TOKENS) ?? []).map((token) => {
    if (token.startsWith('"')) return `"${JSON.parse(token) as string}`;
    if (/^[tfn]/.test(token)) return token;
    return decimalOf(areDigitsKept ? token : String(Number(token)));
  });
}

/** The first number that a double cannot hold as an integer, however it is written. */
export function tooLongNumberIn(json: string): string | undefined {
  return (json.match(TOKENS) ?? []).find((token) => (
    /^[-\d]/.test(token) && Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER
  ));
}

const LONG_MAX = 2n ** 63n - 1n;

/** A JSON text as the log holds it: an integer that only its digits hold exactly is a text. */
export function withLongsAsText(json: string): string {
  return json.replaceAll(TOKENS, (token) => (isLong(token) ? `"${token}"` : token));
}

function isLong(token: string): boolean {
  if (!/^-?\d{16,19}$/.test(token) || Number.isSafeInteger(Number(token))) return false;
  const long = BigInt(token);
  return long <= LONG_MAX && long >= -LONG_MAX;
}

/** Digits without zeros at either end, and the power of ten of the last: no value is rounded. */
function decimalOf(token: string): string {
  const [mantissa = '', power = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^-/, '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${short}e${Number(power) - fraction.length + digits.length - short.length}`;
}
