import { createHash } from 'node:crypto';
import { PAGE_STYLE } from './page-style.ts';

/**
 * Headers of a page that is one file without a script: its policy forbids to load anything at all,
 * from here or elsewhere, but the one style it carries.
 */
export function pageHeaders(): Readonly<Record<string, string>> {
  const styleDigest = createHash('sha256').update(PAGE_STYLE).digest('base64');
  return {
    'Content-Security-Policy': [
      "default-src 'none'", `style-src 'sha256-${styleDigest}'`, "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}

/** A page with the style; title and content are HTML already. */
export function htmlPage(title: string, content: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${PAGE_STYLE}</style></head><body>`,
    ...content,
    '</body></html>\n',
  ].join('\n');
}
