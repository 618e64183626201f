import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import Eleventy from '@11ty/eleventy';
import { escaped } from '../../services/gateways/docs/html.ts';
import { addressOf, BASE, fileOf, isMarkdown, pictureAddressOf } from './addresses.ts';
import { makeAssets } from './assets.ts';
import { removeOld, writeSite, type SitePart } from './write-site.ts';
import { siteIn, sourcesDigest } from './freshness.ts';
import { layOut, notThere } from './layout.ts';
import { createLinks, type Links } from './links.ts';
import type { MarkdownIt } from './markdown-it.ts';
import { folderList, folderName, type Contents } from './navigation.ts';
import { readPage, type ReadPage } from './read-page.ts';
import { searchIndex } from './search-index.ts';
import { readPictures, readSources, type Pictures, type Sources } from './sources.ts';

/** Where a site is made from and to. */
export interface SiteBuild {
  readonly root: string;
  /** The folder of sites. */
  readonly out: string;
  /** Makes it even if it is up to date. */
  readonly isForced: boolean;
}

/** What was made. */
export interface BuiltSite {
  readonly isNew: boolean;
  readonly files: number;
  /** Diagrams that are shown as text, with why. */
  readonly undrawn: readonly string[];
}

/** A page of the gateways themselves; the site has no other one there. */
const TAKEN = `${BASE}/api`;

/** Makes the site unless it is up to date. Throws with every link that leads nowhere. */
export async function buildSite({ root, out, isForced }: SiteBuild): Promise<BuiltSite> {
  const sources = readSources(root);
  const pictures = readPictures(root, sources);
  const digest = sourcesDigest(sources, pictures);
  const before = siteIn(out);
  if (before?.sources === digest && !isForced) {
    return { isNew: false, files: Object.keys(before.files).length, undrawn: [] };
  }
  const { parts, pages } = await makeParts(sources, pictures, out);
  const list = writeSite(out, parts, { sources: digest, notThere: `${BASE}/not-there` });
  removeOld(out, [before, list]);
  const undrawn = [...pages.values()].flatMap((page) => page.undrawn);
  return { isNew: true, files: parts.length, undrawn };
}

/** Every file of the site, in memory. */
async function makeParts(
  sources: Sources, pictures: Pictures, out: string,
): Promise<{ readonly parts: readonly SitePart[]; readonly pages: ReadonlyMap<string, ReadPage> }> {
  const folders = foldersWithoutReadme(sources);
  const links = createLinks(sources, folders, pictures);
  const pages = new Map<string, ReadPage>();
  const html = await render(sources, links, pages, out);
  const broken = links.broken(new Map([...pages].map(([path, { sections }]) => [path, sections])));
  if (broken.length > 0) throw new Error(['The site cannot be made:', ...broken].join('\n'));
  const contents: Contents = {
    titles: new Map([...pages].map(([path, { title }]) => [path, title])),
    paths: [...sources.keys(), ...folders].toSorted(),
  };
  const { files, assets } = makeAssets(searchIndex(pages));
  const framed = contents.paths.map((path): SitePart => {
    const address = addressOf(path);
    const { title, sections } = pages.get(path) ?? { title: folderName(path), sections: [] };
    const content = html.get(path) ?? (folders.has(path)
      ? folderList(path, contents)
      : `<h1>${escaped(path)}</h1>\n<pre><code>${escaped(sources.get(path) ?? '')}</code></pre>`);
    const page = layOut({ path, title, sections, content }, contents, assets);
    return { address, file: fileOf(address), content: page, isImmutable: false };
  });
  const parts = [
    ...framed,
    {
      address: `${BASE}/not-there`, file: 'not-there.html', isImmutable: false,
      content: notThere(contents, assets),
    },
    ...[
      ...files.map(({ address, text }) => [address, text] as const),
      ...[...pictures].map(([path, bytes]) => [pictureAddressOf(path, bytes), bytes] as const),
    ].map(([address, each]): SitePart => (
      { address, file: address.slice(BASE.length + 1), content: each, isImmutable: true })),
  ];
  refuseDoubles(parts.map(({ address }) => address));
  return { parts, pages };
}

/** Has Eleventy make HTML of every page of prose; keeps what was read of it in `pages`. */
async function render(
  sources: Sources, links: Links, pages: Map<string, ReadPage>, out: string,
): Promise<ReadonlyMap<string, string>> {
  mkdirSync(out, { recursive: true });
  // Nothing is in it: every page is handed over with its text.
  const input = mkdtempSync(join(out, 'input-'));
  const names = new Map<string, string>();
  try {
    const made = await new Eleventy(relative(process.cwd(), input), join(input, 'made'), {
      quietMode: true, configPath: false,
      config(config) {
        config.setUseGitIgnore(false);
        config.setTemplateFormats(['md']);
        for (const [source, text] of sources) {
          if (!isMarkdown(source)) continue;
          const permalink = fileOf(addressOf(source));
          names.set(`/${permalink.replace(/(^|\/)index\.html$/, '$1')}`, source);
          config.addTemplate(source, text, { templateEngineOverride: 'md', permalink, source });
        }
        config.amendLibrary('md', (library: MarkdownIt) => {
          library.core.ruler.push('site', (state) => {
            pages.set(state.env.source, readPage(state, links));
          });
          const { rules } = library.renderer;
          rules['table_open'] = () => '<div class="table"><table>\n';
          rules['table_close'] = () => '</table></div>\n';
        });
      },
    }).toJSON();
    return new Map(made.map(({ url, content }) => [names.get(url) ?? url, content]));
  } finally {
    rmSync(input, { recursive: true, force: true });
    // Eleventy leaves variables for programs that it might start; here there are none.
    const left = Object.keys(process.env).filter((name) => name.startsWith('ELEVENTY_'));
    for (const name of left) delete process.env[name];
  }
}

function foldersWithoutReadme(sources: Sources): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of sources.keys()) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      if (!sources.has(`${folder}/README.md`)) folders.add(`${folder}/`);
    }
  }
  return folders;
}

function refuseDoubles(addresses: readonly string[]): void {
  const doubles = addresses.filter((address, at) => (
    address === TAKEN || addresses.indexOf(address) !== at));
  if (doubles.length > 0) throw new Error(`Addresses of two pages: ${doubles.join(', ')}`);
}
