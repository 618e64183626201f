import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite, type BuiltSite } from '../../../scripts/docs/build-site.ts';
import { SEARCH_OPTIONS } from '../../../scripts/docs/browser/search-options.ts';
import { siteIn } from '../../../scripts/docs/freshness.ts';
import { openSite } from '../../../services/adapters/site/open-site.ts';
import { createPages } from '../../../services/gateways/docs/find-page.ts';
import { siteOffences, type SitePage } from '../../support/site-checks.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

/** It reads and writes some six hundred files. */
const BUILD_MS_MAX = 240_000;

describe('the documentation of this repository as a site', () => {
  let out: string;
  let at: WholeEdge;
  let built: BuiltSite;
  let pages: SitePage[];
  let index: MiniSearch;

  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'rastro-site-'));
    built = await buildSite({ root: process.cwd(), out, isForced: false });
    // Reading the index takes long on a busy machine; a connection must outlive it.
    const server = { keepAliveTimeoutMs: BUILD_MS_MAX };
    at = await openWholeEdge({ pages: createPages(openSite(out)), server });
    pages = [];
    for (const address of Object.keys(siteIn(out)?.files ?? {})) {
      const response = await fetch(at.edge.url + address, { redirect: 'manual' });
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      pages.push({
        address, contentType: response.headers.get('content-type') ?? '',
        text: await response.text(),
      });
    }
    const [asset] = pages.filter(({ contentType }) => contentType === 'application/json');
    index = MiniSearch.loadJSON(asset?.text ?? '', SEARCH_OPTIONS);
  }, BUILD_MS_MAX);
  afterAll(async () => {
    await at.close();
    rmSync(out, { recursive: true, force: true });
  });

  it('has every page of prose, and what they link to', () => {
    const addresses = pages.map(({ address }) => address);
    expect(addresses).toEqual(expect.arrayContaining([
      '/docs/', '/docs/contents', '/docs/interface', '/docs/tutorials/provider', '/docs/adr/',
      '/docs/how-to/', '/docs/queries/last-fixes.sql', '/docs/repository/CONTRIBUTING',
      '/docs/repository/test/', '/docs/repository/services/gateways/',
    ]));
    expect(pages.length).toBeGreaterThan(500);
    expect(new Set(pages.map(({ contentType }) => contentType))).toEqual(new Set([
      'text/html; charset=utf-8', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8',
      'image/svg+xml', 'image/png', 'application/json',
    ]));
  });

  it('has no broken link, loads nothing from elsewhere, and has nothing that its policy stops', () => {
    const api = { address: '/docs/api', contentType: 'text/html', text: '' };
    expect(siteOffences([...pages, api])).toEqual([]);
  });

  it('shows every diagram as a drawing', () => {
    expect(built.undrawn).toEqual([]);
    const { text } = pages.find(({ address }) => address === '/docs/explanation/architecture')!;
    expect(text.match(/<svg /g)).toHaveLength(1);
    for (const label of ['what is true now', 'validate, admit, append, answer', 'fixes, events']) {
      expect(text.replaceAll(/<details>[^]*?<\/details>/g, '')).toContain(label);
    }
  });

  it.each([
    ['provable outcome', '/docs/explanation/outcomes'], ['dead letter replay', '/docs/how-to/dead-letters'],
    ['RASTRO_HTTP_PORT', '/docs/reference/settings'], ['devices near a point', '/docs/queries/'],
    ['rotate secrets', '/docs/how-to/rotate-secrets'], ['RFC 9457', '/docs/adr/0084'],
  ])('finds %s', (words, page) => {
    const places = index.search(words).slice(0, 12).map(({ id }) => id as string);
    expect(places.filter((place) => place.startsWith(page))).not.toEqual([]);
    for (const place of places) {
      expect(pages.map(({ address }) => address)).toContain(place.split('#')[0]);
    }
  });

  it('has pages whose policy lets in what is served here, and nothing else', async () => {
    const { headers } = await fetch(`${at.edge.url}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'",
      "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it('leaves the page of the interface, and every other path, as they are', async () => {
    const page = await (await fetch(`${at.edge.url}/docs/api`)).text();
    expect(page).toContain('/shipping/rtt/devices');
    expect(pages.filter(({ text }) => text.includes('href="/docs/api"')).length).toBeGreaterThan(500);
    expect((await fetch(`${at.edge.url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${at.edge.url}/docs`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${at.edge.url}/shipping/none`)).status).toBe(404);
  });

  it.each([
    '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/%2e%2e%2fpackage.json',
    '/docs/..%2f..%2fetc%2fpasswd', '/docs/..%5c..%5cpackage.json', '/docs/explanation%2foutcomes',
    '/docs/%00', '/docs/index.html%00.css', '/docs//etc/passwd', '/docs/./contents',
    '/docs/%252e%252e/package.json', '/docs/site.json', '/docs/__proto__', '/docs/constructor',
    '/docs/%', '/docs/contents%20',
  ])('has nothing at %s', async (path) => {
    // As bytes: a client of HTTP would tidy the path up.
    const text = await at.edge.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 (404|400) /);
    expect(text).not.toMatch(/"name": ?"rastro"|root:/);
  });

  it('is up to date when it is made again', async () => {
    const again = await buildSite({ root: process.cwd(), out, isForced: false });
    expect(again).toEqual({ isNew: false, files: built.files, undrawn: [] });
  });
});
