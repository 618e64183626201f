import { describe, expect, it } from 'vitest';
import { createPages } from '../../../services/gateways/docs/find-page.ts';
import type { PageAnswer } from '../../../services/kernel/pages.ts';
import type { Site, SiteFile, SiteList } from '../../../services/kernel/site.ts';

const file = (name: string, parts: Partial<SiteFile> = {}): SiteFile => ({
  file: name, contentType: 'text/html; charset=utf-8', digest: `d-${name}`, isImmutable: false,
  isPacked: true, ...parts,
});
const LIST: SiteList = {
  sources: 's', notThere: '/docs/not-there',
  files: {
    '/docs/': file('index'), '/docs/how-to/': file('how-to'), '/docs/guide': file('guide'),
    '/docs/not-there': file('none', { isPacked: false }),
    '/docs/assets/x.1.css': file('css', { contentType: 'text/css', isImmutable: true, isPacked: false }),
  },
};
const SITE: Site = {
  list: async () => LIST,
  read: async (found, isPacked) => Buffer.from(`${found.file}${isPacked ? ' packed' : ''}`),
};
const BROWSER = { 'accept': 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' };

function ask(
  path: string, headers: Readonly<Record<string, string>> = {}, site: Site | undefined = SITE,
): Promise<PageAnswer | undefined> {
  return createPages(site).find({ path, header: (name) => headers[name] });
}

const textOf = (answer: PageAnswer | undefined): string => (
  (answer?.content as Buffer | undefined)?.toString() ?? '');

describe('the pages of a gateway', () => {
  it('are at / and below /docs, but for the operation there', () => {
    const pages = createPages(SITE);
    for (const path of ['/', '/docs', '/docs/', '/docs/guide']) expect(pages.mayHave(path)).toBe(true);
    for (const path of ['/docs/api', '/docsx', '/openapi.json', '//', '/shipping', '']) {
      expect(pages.mayHave(path)).toBe(false);
    }
  });

  it('are sent packed to who takes that, each with its own version', async () => {
    const packed = await ask('/docs/guide', BROWSER);
    const plain = await ask('/docs/guide');
    expect([textOf(packed), packed?.headers['Content-Encoding'], packed?.headers['ETag']])
      .toEqual(['guide packed', 'gzip', '"d-guide-gz"']);
    expect([textOf(plain), plain?.headers['Content-Encoding'], plain?.headers['ETag']])
      .toEqual(['guide', undefined, '"d-guide"']);
    for (const answer of [packed, plain]) expect(answer?.headers['Vary']).toBe('Accept-Encoding');
    for (const refused of ['gzip;q=0', 'gzip; q=0.00', 'br', 'identity']) {
      expect(textOf(await ask('/docs/guide', { 'accept-encoding': refused }))).toBe('guide');
    }
  });

  it('are asked for again each time, and kept permanently where the address has their digest', async () => {
    expect((await ask('/docs/guide'))?.headers['Cache-Control']).toBe('no-cache');
    expect((await ask('/docs/assets/x.1.css'))?.headers['Cache-Control'])
      .toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['"d-guide"', 304], ['W/"d-guide"', 304], ['"other", "d-guide"', 304], ['*', 304],
    ['"other"', 200], ['d-guide', 200], ['"d-guide-gz"', 200],
  ])('are answered to who has %s with %d', async (known, status) => {
    const answer = await ask('/docs/guide', { 'if-none-match': known });
    expect(answer?.status).toBe(status);
    expect(answer?.headers['ETag']).toBe('"d-guide"');
    expect(textOf(answer)).toBe(status === 304 ? '' : 'guide');
  });

  it('begin at /docs with and without a slash', async () => {
    expect([textOf(await ask('/docs')), textOf(await ask('/docs/'))]).toEqual(['index', 'index']);
  });

  it.each([
    ['/docs/how-to', '/docs/how-to/'], ['/docs/guide/', '/docs/guide'],
    ['/docs/guide.html', '/docs/guide'], ['/docs/guide.md', '/docs/guide'],
  ])('send from %s to %s', async (path, to) => {
    const answer = await ask(path);
    expect([answer?.status, answer?.headers['Location']]).toEqual([308, to]);
  });

  it.each([
    '/docs/none', '/docs/Guide', '/docs/%67uide', '/docs/../docs/guide', '/docs//guide', '/docs/guide\0',
    '/docs/__proto__', '/docs/toString', '/docs/guide%2F', '/docs//example.org/',
  ])('have nothing at %s, and show that to a browser alone', async (path) => {
    expect(await ask(path)).toBeUndefined();
    const shown = await ask(path, { ...BROWSER, 'if-none-match': '*' });
    expect([shown?.status, textOf(shown)]).toEqual([404, 'none']);
  });

  it('are left to the operations where none was built, or a file went away', async () => {
    const empty: Site = { ...SITE, list: async () => undefined };
    for (const site of [empty, undefined]) {
      const pages = createPages(site);
      const find = (path: string) => pages.find({ path, header: () => undefined });
      expect([await find('/docs'), await find('/docs/guide')]).toEqual([undefined, undefined]);
      expect((await find('/docs/'))?.headers['Location']).toBe('/docs');
    }
    const gone: Site = { ...SITE, read: async () => undefined };
    expect(await ask('/docs/guide', BROWSER, gone)).toBeUndefined();
  });
});

describe('the start page', () => {
  it('is a page for a browser, which loads nothing', async () => {
    const answer = await ask('/', BROWSER);
    expect(answer?.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(answer?.headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    for (const to of ['/docs', '/docs/api', '/openapi.json']) {
      expect(textOf(answer)).toContain(`href="${to}"`);
    }
  });

  it.each([undefined, '*/*', 'application/json', 'text/html;q=0'])('is JSON for who asks for %s', async (accept) => {
    const answer = await ask('/', accept === undefined ? {} : { accept });
    expect(answer?.headers).toMatchObject({ 'Content-Type': 'application/json', 'Vary': 'Accept' });
    expect(JSON.parse(textOf(answer))).toEqual({
      service: 'rastro', documentation: '/docs', interface: '/docs/api', openapi: '/openapi.json',
    });
  });
});
