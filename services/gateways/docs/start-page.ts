import type { PageAnswer, PageCall } from '../../kernel/pages.ts';
import { acceptsHtml } from '../common/accepted.ts';
import { escaped } from './html.ts';
import { htmlPage, pageHeaders } from './html-page.ts';

/** Where to go on from `/`. */
const WAYS = [
  { name: 'documentation', address: '/docs', says: 'Documentation' },
  { name: 'interface', address: '/docs/api', says: 'The interface on one page' },
  { name: 'openapi', address: '/openapi.json', says: 'The interface for programs (OpenAPI 3.1)' },
] as const;

const SAYS = 'Rastro takes locations and notifications of tracking providers and carriers.';

/** The answer to `/`: a page for browsers, and the same as JSON for everyone else. */
export function startPage(call: PageCall): PageAnswer {
  const always = { 'Cache-Control': 'no-store', 'Vary': 'Accept' };
  if (!acceptsHtml(call)) {
    const ways = Object.fromEntries(WAYS.map(({ name, address }) => [name, address]));
    return {
      status: 200, headers: { ...always, 'Content-Type': 'application/json' },
      content: `${JSON.stringify({ service: 'rastro', ...ways })}\n`,
    };
  }
  const links = WAYS.map(({ address, says }) => (
    `<li><a href="${address}">${escaped(says)}</a></li>`));
  return {
    status: 200,
    headers: { ...always, ...pageHeaders(), 'Content-Type': 'text/html; charset=utf-8' },
    content: htmlPage('Rastro', ['<h1>Rastro</h1>', `<p>${SAYS}</p>`, '<ul>', ...links, '</ul>']),
  };
}
