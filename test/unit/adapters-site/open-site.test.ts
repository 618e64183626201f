import {
  mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../services/adapters/site/open-site.ts';
import type { SiteFile, SiteList } from '../../../services/kernel/site.ts';

const BUILD = '0123456789abcdef';
const at = (file: string): SiteFile => (
  { file, contentType: 'text/html', digest: 'd', isImmutable: false, isPacked: true });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rastro-site-'));
  mkdirSync(join(folder, BUILD, 'a'), { recursive: true });
  writeFileSync(join(folder, BUILD, 'a', 'page.html'), 'page');
  writeFileSync(join(folder, BUILD, 'a', 'page.html.gz'), 'packed');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
});
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

async function read(file: string, isPacked = false): Promise<string | undefined> {
  const bytes = await openSite(folder).read(at(file), isPacked);
  return bytes && Buffer.from(bytes).toString();
}

function publish(sources: string): void {
  const list: SiteList = { sources, notThere: '/docs/none', files: {} };
  writeFileSync(join(folder, 'site.json.new'), JSON.stringify(list));
  renameSync(join(folder, 'site.json.new'), join(folder, 'site.json'));
}

describe('a site in a folder', () => {
  it('is read file by file, packed or not', async () => {
    expect(await read(`${BUILD}/a/page.html`)).toBe('page');
    expect(await read(`${BUILD}/a/page.html`, true)).toBe('packed');
  });

  it.each([
    'secret.txt', `${BUILD}/../secret.txt`, `${BUILD}/a/../../secret.txt`, '../secret.txt',
    '/etc/passwd', `${BUILD}/a`, `${BUILD}/a/none.html`, `${BUILD}/a/page.html/x`, `${BUILD}/./a/page.html`,
    `${BUILD}/a/page.html\0`, `${BUILD}//a/page.html`, `${BUILD}/a\\..\\..\\secret.txt`, '',
  ])('has no file %j', async (file) => {
    expect(await read(file)).toBeUndefined();
  });

  it('follows no symbolic link, of a file or of a folder', async () => {
    unlinkSync(join(folder, BUILD, 'a', 'page.html'));
    symlinkSync(join(folder, 'secret.txt'), join(folder, BUILD, 'a', 'page.html'));
    symlinkSync(folder, join(folder, BUILD, 'b'));
    expect(await read(`${BUILD}/a/page.html`)).toBeUndefined();
    expect(await read(`${BUILD}/b/secret.txt`)).toBeUndefined();
    expect(await read(`${BUILD}/b/${BUILD}/a/page.html`)).toBeUndefined();
  });

  it('may be behind a link itself, as mounted volumes are', async () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      expect(await openSite(link).read(at(`${BUILD}/a/page.html`), false)).toEqual(Buffer.from('page'));
    } finally {
      unlinkSync(link);
    }
  });

  it('is none before the first build, and the newest from the next call on', async () => {
    const site = openSite(folder);
    expect(await site.list()).toBeUndefined();
    publish('one');
    expect((await site.list())?.sources).toBe('one');
    expect(await site.list()).toBe(await site.list());
    publish('two');
    expect((await site.list())?.sources).toBe('two');
    unlinkSync(join(folder, 'site.json'));
    expect(await site.list()).toBeUndefined();
    expect(await openSite(join(folder, 'nowhere')).list()).toBeUndefined();
  });
});
