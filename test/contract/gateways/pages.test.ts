import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from '../../../services/gateways/docs/find-page.ts';
import type { Site } from '../../../services/kernel/site.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const PAGE = 'a page, ä and so on';
const SITE: Site = {
  list: async () => ({
    sources: 's', notThere: '/docs/none',
    files: {
      '/docs/': {
        file: 'index', contentType: 'text/html; charset=utf-8', digest: 'd', isImmutable: false,
        isPacked: false,
      },
    },
  }),
  read: async () => Buffer.from(PAGE),
};

describe('pages beside the operations', () => {
  let at: WholeEdge;
  beforeAll(async () => { at = await openWholeEdge({ pages: createPages(SITE) }); });
  afterAll(() => at.close());

  it('answer HEAD as GET, without the content', async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => (
      fetch(`${at.edge.url}/docs`, { method }))));
    expect([head?.status, get?.status]).toEqual([200, 200]);
    expect([await head?.text(), await get?.text()]).toEqual(['', PAGE]);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head?.headers.get(name)).toBe(get?.headers.get(name));
    }
    expect(get?.headers.get('content-length')).toBe(String(Buffer.byteLength(PAGE)));
  });

  it('answer 304 without content and type of another one', async () => {
    const text = await at.edge.raw(
      'GET /docs HTTP/1.1\r\nHost: x\r\nIf-None-Match: "d"\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 304 /);
    expect(text).toMatch(/\r\n\r\n$/);
    expect(text).not.toMatch(/content-length/i);
  });

  it('name the call, do not let a type be guessed, and are counted', async () => {
    const { headers } = await fetch(`${at.edge.url}/docs?x=1`, { headers: { 'x-request-id': 'mine' } });
    expect([headers.get('x-request-id'), headers.get('x-content-type-options')]).toEqual(['mine', 'nosniff']);
    expect(await at.edge.metrics())
      .toMatch(/rastro_http_requests_total\{operation="pages",status="200",code="ok"\} [1-9]/);
  });

  it('show at / a way to go on', async () => {
    const forBrowsers = await fetch(at.edge.url, { headers: { accept: 'text/html' } });
    expect([forBrowsers.status, forBrowsers.headers.get('content-type')])
      .toEqual([200, 'text/html; charset=utf-8']);
    expect(await (await fetch(at.edge.url)).json()).toMatchObject({ documentation: '/docs' });
  });

  it('leave all else to the operations: other methods, what is not there, and the interface', async () => {
    const statuses = await Promise.all([
      ['POST', '/docs'], ['POST', '/'], ['GET', '/docs/none'], ['GET', '/docs/api'],
      ['GET', '/openapi.json'], ['GET', '/shipping/none'],
    ].map(async ([method = '', path = '']) => (
      [method, path, (await fetch(at.edge.url + path, { method })).status])));
    expect(statuses).toEqual([
      ['POST', '/docs', 405], ['POST', '/', 404], ['GET', '/docs/none', 404], ['GET', '/docs/api', 200],
      ['GET', '/openapi.json', 200], ['GET', '/shipping/none', 404],
    ]);
    const none = await (await fetch(`${at.edge.url}/docs/none`)).json() as { readonly code: string };
    expect(none.code).toBe('route_not_found');
  });

  it('answer 500 and keep the reason to the log when a file cannot be read', async () => {
    const broken = await openWholeEdge({
      pages: createPages({ ...SITE, read: () => Promise.reject(new Error('disk on fire')) }),
    });
    try {
      const response = await fetch(`${broken.edge.url}/docs`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('fire');
      expect(broken.edge.lines.join('\n')).toContain('disk on fire');
      expect((await fetch(`${broken.edge.url}/openapi.json`)).status).toBe(200);
    } finally {
      await broken.close();
    }
  });
});
