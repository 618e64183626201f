import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SITE_LIST, type Site, type SiteFile, type SiteList } from '../../kernel/site.ts';

const FILE = /^[0-9a-f]{16}(\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/;

/**
 * The documentation in a folder, as it was built last. A build changes its list in one step; the
 * list is read again when it is another file. What is not a file at its very place is not there:
 * no link leads out of the folder.
 */
export function openSite(folder: string): Site {
  let read: { readonly version: string; readonly list: SiteList } | undefined;

  async function list(): Promise<SiteList | undefined> {
    const path = join(folder, SITE_LIST);
    const found = await orNone(stat(path));
    if (found === undefined) return undefined;
    const version = [found.ino, found.mtimeMs, found.size].join(' ');
    if (read?.version !== version) {
      const text = await orNone(readFile(path, 'utf8'));
      if (text === undefined) return undefined;
      read = { version, list: JSON.parse(text) as SiteList };
    }
    return read.list;
  }

  return {
    list,
    async read({ file }: SiteFile, isPacked) {
      const name = isPacked ? `${file}.gz` : file;
      if (!FILE.test(name)) return undefined;
      const home = await orNone(realpath(folder));
      const path = await orNone(realpath(join(folder, name)));
      return home === undefined || path !== join(home, name) ? undefined : orNone(readFile(path));
    },
  };
}

/** What a promise gives; `undefined` where there is no such file. */
async function orNone<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}
