import type { Outcome } from './edge.ts';

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What is wrong with the outcome of a body, of which tokens must be kept if it was accepted. */
export function faultOf(
  { status, text, stored }: Outcome, keeps: () => readonly string[],
): string | undefined {
  if (status >= 500 || status < 200) return `answered ${status}: ${text.slice(0, 200)}`;
  if (!isJson(text)) return `answered ${status} with what is no JSON: ${text.slice(0, 200)}`;
  if (status >= 300 || stored.length === 0) return undefined;
  const kept = new Set(stored.flatMap((json) => tokensOf(json)));
  const lost = keeps().find((token) => !kept.has(token));
  if (lost === undefined) return undefined;
  return `answered ${status} and did not keep ${lost.slice(0, 200)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every name, text and number of a JSON text, in one form of writing each. Numbers keep each digit,
 * or are what a double of them is.
 */
export function tokensOf(json: string, areDigitsKept = true): readonly string[] {
  return (json.match(TOKENS) ?? []).map((token) => (
    token.startsWith('"') ? `"${JSON.parse(token) as string}` : decimalOf(areDigitsKept ? token : String(Number(token)))
  ));
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
