import { describe, expect, it } from 'vitest';
import { createConsolePages } from '../../../services/gateways/console/find-console.ts';
import type { PageAnswer, StaticFile } from '../../../services/kernel/pages.ts';

const fileOf = (name: string, isImmutable: boolean): StaticFile => ({
  contentType: 'text/x', digest: `d-${name}`, isImmutable,
  read: async (packing) => Buffer.from(`${name} ${packing}`),
});
const pages = createConsolePages({
  scriptDigest: 'DIGEST=',
  files: new Map([['/console/', fileOf('page', false)], ['/console/1/main.ts', fileOf('main', true)]]),
});
const ask = (
  path: string, headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer | undefined> => pages.find({ path, header: (name) => headers[name] });

describe('the pages of the console', () => {
  it('are at /console and below, but for the operations there', () => {
    for (const path of ['/console', '/console/', '/console/1/main.ts', '/console/sessions']) {
      expect(pages.mayHave(path)).toBe(true);
    }
    for (const path of ['/console/session', '/console/session/end', '/consoles', '/', '/docs']) {
      expect(pages.mayHave(path)).toBe(false);
    }
  });

  it.each([['br, gzip', 'br'], ['gzip', 'gzip'], ['br;q=0, gzip', 'gzip'], ['identity', undefined], ['', undefined]])(
    'are sent to who takes %j as %s, each with its own version', async (accepted, encoding) => {
      const answer = await ask('/console/', { 'accept-encoding': accepted });
      expect([String(answer?.content as Buffer | undefined), answer?.headers['Content-Encoding'], answer?.headers['ETag']])
        .toEqual([`page ${encoding ?? 'identity'}`, encoding, `"d-page-${encoding ?? 'identity'}"`]);
    },
  );

  it('are kept permanently where the address has their digest, and are not sent twice', async () => {
    expect((await ask('/console/'))?.headers['Cache-Control']).toBe('no-cache');
    const main = await ask('/console/1/main.ts');
    expect(main?.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    const again = await ask('/console/1/main.ts', { 'if-none-match': main?.headers['ETag'] ?? '' });
    expect([again?.status, again?.content]).toEqual([304, '']);
  });

  it('run nothing that is written into them, and load nothing from elsewhere', async () => {
    const policy = (await ask('/console/'))?.headers['Content-Security-Policy'] ?? '';
    expect(policy.split('; ')[0]).toBe("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'sha256-DIGEST='");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('begin at /console/, and what is no file of theirs is left to the operations', async () => {
    expect((await ask('/console'))?.headers['Location']).toBe('/console/');
    for (const path of ['/console/none', '/console//', '/console/1/../', '/console/%31/main.ts', '/console/toString']) {
      expect(await ask(path)).toBeUndefined();
    }
  });
});
