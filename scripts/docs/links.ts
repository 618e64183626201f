import { addressOf, pictureAddressOf, targetOf } from './addresses.ts';
import type { PageTools, Section } from './read-page.ts';
import type { Pictures, Sources } from './sources.ts';

/** Turns links of pages into addresses, and says in the end which lead nowhere. */
export interface Links extends PageTools {
  /** Every complaint; complete once the sections of all pages are known. */
  broken(sectionsOf: ReadonlyMap<string, readonly Section[]>): readonly string[];
}

const OTHER_SITE = /^(https|mailto):/;

/** Makes it for one build. `folders` are those that have a page although they have no README. */
export function createLinks(
  sources: Sources, folders: ReadonlySet<string>, pictures: Pictures,
): Links {
  const complaints: string[] = [];
  const anchors: { readonly from: string; readonly to: string; readonly anchor: string }[] = [];

  function pageOf(path: string): string | undefined {
    const readme = path === '.' ? 'README.md' : `${path}/README.md`;
    if (sources.has(path)) return path;
    if (sources.has(readme)) return readme;
    return folders.has(`${path}/`) ? `${path}/` : undefined;
  }

  return {
    complain(sentence) { complaints.push(sentence); },
    resolve(from, link) {
      if (OTHER_SITE.test(link)) return link;
      const [path = '', anchor] = link.split('#');
      const to = path === '' ? from : pageOf(targetOf(from, path));
      if (/^([a-z]+:|\/)/i.test(link) || to === undefined) {
        complaints.push(`${from} links to ${link}, which is not on the site`);
        return link;
      }
      if (anchor !== undefined) anchors.push({ from, to, anchor: decodeURIComponent(anchor) });
      return addressOf(to) + (anchor === undefined ? '' : `#${anchor}`);
    },
    picture(from, link) {
      const path = targetOf(from, link);
      const bytes = pictures.get(path);
      if (bytes !== undefined) return pictureAddressOf(path, bytes);
      complaints.push(`${from} shows ${link}, which is no PNG picture of the repository`);
      return link;
    },
    broken: (sectionsOf) => [
      ...complaints,
      ...anchors
        .filter(({ to, anchor }) => (
          sectionsOf.get(to)?.some((section) => section.anchor === anchor) !== true))
        .map(({ from, to, anchor }) => (
          `${from} links to ${to}#${anchor}, which has no such heading`)),
    ],
  };
}
