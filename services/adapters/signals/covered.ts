const TEXT_CHARACTERS_MAX = 8_000;

// For a secret that came inside a text, such as the error of a library.
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/\b[0-9a-f]{2}[A-Za-z0-9_-]{43}\b/g, '***'],
  [/(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:***@'],
  [
    /(?<![A-Za-z])(password|secret|token|pepper|authorization)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
    '$1$2***',
  ],
];

/** A text as a line may carry it: cut to a length, with secrets covered. */
export function covered(text: string): string {
  const cut = text.slice(0, TEXT_CHARACTERS_MAX);
  return SECRETS.reduce((seen, [secret, cover]) => seen.replaceAll(secret, cover), cut);
}
