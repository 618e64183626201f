import type { PageAnswer, PageCall, Pages } from '../../kernel/pages.ts';
import type { Site, SiteFile } from '../../kernel/site.ts';
import { acceptsHtml, acceptsPacked, hasVersion } from '../common/accepted.ts';
import { startPage } from './start-page.ts';

const BASE = '/docs';
/** An operation: the interface on one page. */
const OPERATION = `${BASE}/api`;

/**
 * Of every file: it may load what is served here beside it, and nothing else. Pages have no script
 * and no style inside, so no digest is needed.
 */
const SITE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The start page, and the documentation as it was built; operations answer what is not there. */
export function createPages(site: Site | undefined): Pages {
  return {
    mayHave: (path) => (
      path === '/' || path === BASE || (path.startsWith(`${BASE}/`) && path !== OPERATION)),
    async find(call) {
      if (call.path === '/') return startPage(call);
      const list = await site?.list();
      if (site === undefined || list === undefined) {
        return call.path === `${BASE}/` ? redirect(BASE) : undefined;
      }
      const address = call.path === BASE ? `${BASE}/` : call.path;
      const file = list.files[address];
      if (file !== undefined) return answer(site, file, call);
      const near = [`${address}/`, address.replace(/\/$/, ''), address.replace(/\.(html|md)$/, '')]
        .find((other) => list.files[other] !== undefined);
      if (near !== undefined) return redirect(near);
      const none = list.files[list.notThere];
      if (none === undefined || !acceptsHtml(call)) return undefined;
      const shown = await answer(site, none, { ...call, header: () => undefined });
      return shown && { ...shown, status: 404 };
    },
  };
}

async function answer(
  site: Site, file: SiteFile, call: PageCall,
): Promise<PageAnswer | undefined> {
  const isPacked = file.isPacked && acceptsPacked(call);
  const etag = `"${file.digest}${isPacked ? '-gz' : ''}"`;
  const headers = {
    ...SITE_HEADERS,
    'Content-Type': file.contentType,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'ETag': etag,
    ...file.isPacked ? { Vary: 'Accept-Encoding' } : {},
  };
  if (hasVersion(call, etag)) return { status: 304, headers, content: '' };
  const content = await site.read(file, isPacked);
  return content && {
    status: 200, content,
    headers: { ...headers, ...isPacked ? { 'Content-Encoding': 'gzip' } : {} },
  };
}

/** Only to an address that is there, never to one that the caller made. */
function redirect(to: string): PageAnswer {
  return { status: 308, headers: { 'Location': to, 'Cache-Control': 'no-store' }, content: '' };
}
