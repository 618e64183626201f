import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { SITE_LIST, type SiteFile, type SiteList } from '../../services/kernel/site.ts';

/** One file of a site before it is written. */
export interface SitePart {
  readonly address: string;
  /** Where it is kept, within the site. */
  readonly file: string;
  readonly content: string | Buffer;
  /** True when its address changes with its content. */
  readonly isImmutable: boolean;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
  js: 'text/javascript; charset=utf-8', json: 'application/json', png: 'image/png',
};
/** The folder of one site; whatever else is beside it is not ours to remove. */
const SITE = /^[0-9a-f]{16}$/;
/** Below it a packed file saves no packet. */
const PACKED_BYTES_MIN = 1_400;

/**
 * Writes a site into a folder of its own and then the list that names it, so that who serves it
 * sees either the one before or this one. The one before stays for those who still read it.
 */
export function writeSite(
  folder: string, parts: readonly SitePart[], made: Pick<SiteList, 'sources' | 'notThere'>,
): SiteList {
  const contents = parts.map(({ address, content }) => [address, digestOf(content)]);
  const digest = digestOf(JSON.stringify([contents, made])).slice(0, 16);
  const files: Record<string, SiteFile> = {};
  for (const { address, file, content, isImmutable } of parts) {
    const path = `${digest}/${file}`;
    const bytes = Buffer.from(content);
    const packed = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
    const isPacked = bytes.length >= PACKED_BYTES_MIN && packed.length < bytes.length;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    if (isPacked) writeFileSync(join(folder, `${path}.gz`), packed);
    files[address] = {
      file: path, contentType: contentTypeOf(file), digest: digestOf(bytes).slice(0, 32),
      isImmutable, isPacked,
    };
  }
  const list: SiteList = { ...made, files };
  const path = join(folder, SITE_LIST);
  writeFileSync(`${path}.new`, JSON.stringify(list));
  renameSync(`${path}.new`, path);
  return list;
}

/** Removes sites that were there before the two named ones. */
export function removeOld(folder: string, kept: readonly (SiteList | undefined)[]): void {
  const names = new Set(kept.flatMap((list) => Object.values(list?.files ?? {}))
    .map(({ file }) => file.split('/')[0]));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SITE.test(entry.name) && !names.has(entry.name)) {
      rmSync(join(folder, entry.name), { recursive: true, force: true });
    }
  }
}

/** The digest of a text or of bytes, in hexadecimal. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function contentTypeOf(file: string): string {
  const type = CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`${file} has no content type.`);
  return type;
}
