/** A file of a site as a browser gets it. */
export interface SitePage {
  readonly address: string;
  readonly contentType: string;
  readonly text: string;
}

const LOADING = /<(script|link|img|iframe|object|embed|source|video|audio)\b[^>]*?\s(?:src|href|data|srcset)="([^"]*)"/gi;
const SCRIPT = /<script\b[^>]*>([^]*?)<\/script>/gi;

/**
 * What of a site a strict policy would stop, what would be asked of another machine by loading it,
 * and links that lead nowhere; a sentence for each.
 */
export function siteOffences(pages: readonly SitePage[]): readonly string[] {
  const anchors = new Map(pages.map(({ address, text }) => [address, idsOf(text)]));
  return pages.flatMap((page) => {
    const { address, contentType, text } = page;
    const found = contentType.startsWith('text/html') ? [...pageOffences(text), ...lost(page, anchors)]
      : contentType.startsWith('text/css') ? styleOffences(text)
      : contentType.startsWith('text/javascript') ? scriptOffences(text)
      : contentType === 'image/svg+xml' ? pageOffences(text) : [];
    return found.map((offence) => `${address} ${offence}`);
  });
}

function pageOffences(html: string): readonly string[] {
  return [
    ...[...html.matchAll(SCRIPT)].filter(([, inside = '']) => inside.trim() !== '')
      .map(() => 'has a script inside'),
    ...[...html.matchAll(/<style\b/gi)].map(() => 'has a style inside'),
    ...[...html.matchAll(/<[a-z][^>]*\sstyle="/gi)].map(() => 'has an attribute style'),
    ...[...html.matchAll(/<[a-z][^>]*\s(on[a-z]+)="/gi)].map(([, name = '']) => `has ${name}`),
    ...[...html.matchAll(/href="\s*(javascript|data|http):/gi)].map(([, kind = '']) => `links by ${kind}:`),
    ...[...html.matchAll(/<(base|iframe|object|embed|form[^>]* action)\b/gi)]
      .map(([, tag = '']) => `has <${tag}>`),
    ...[...html.matchAll(LOADING)].filter(([, , from = '']) => !from.startsWith('/docs/'))
      .map(([, tag = '', from = '']) => `loads ${from} by <${tag}>`),
  ];
}

function styleOffences(css: string): readonly string[] {
  return [...css.matchAll(/@import|url\(/gi)].map(([what]) => `has ${what}`);
}

function scriptOffences(script: string): readonly string[] {
  return [
    ...[...script.matchAll(/\b(?:from|import)\s*\(?\s*(['"])([^'"]+)\1/g)]
      .filter(([, , from = '']) => !from.startsWith('/docs/')).map(([, , from = '']) => `imports ${from}`),
    ...[...script.matchAll(/\beval\(|new Function\(|innerHTML|document\.write/g)]
      .map(([what]) => `uses ${what}`),
  ];
}

/** Links of a page to addresses and headings that are not there. */
function lost(
  { address, text }: SitePage, anchors: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  return [...text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, link = '']) => link)
    .filter((link) => {
      if (link.startsWith('https:') || link.startsWith('mailto:')) return false;
      const [path = '', anchor] = link.split('#');
      const ids = anchors.get(path === '' ? address : path);
      return ids === undefined || (anchor !== undefined && !ids.has(decodeURIComponent(anchor)));
    })
    .map((link) => `links to ${link}, which is not there`);
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}
