import { posix } from 'node:path';
import type { TidyRule } from './rule.ts';
import type { TidyFile } from './tree.ts';

const allowedAtTop = new Set([
  ...['.ci', '.dockerignore', '.editorconfig', '.gitattributes', '.github', '.gitignore'],
  ...['.npmrc', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...['docs', 'infra'],
  ...['package-lock.json', 'package.json', 'schemas', 'scripts', 'services', 'test'],
  ...['tsconfig.json'],
]);

const roomParents = [
  ...['services', 'services/adapters', 'services/gateways', 'services/workers'],
  ...['infra', 'test'],
];

/** Rules about places: what stands at the top, where READMEs are due, whether links arrive. */
export const placeRules: readonly TidyRule[] = [
  { name: 'clean-top', offences: strangersAtTop },
  { name: 'rooms-are-explained', offences: roomsWithoutReadme },
  { name: 'links-arrive', offences: brokenLinks },
];

function strangersAtTop(files: readonly TidyFile[]): string[] {
  const top = new Set(files.map((file) => file.path.split('/')[0] ?? ''));
  return [...top].filter((name) => !allowedAtTop.has(name)).map((name) => `${name} at the top`);
}

function roomsWithoutReadme(files: readonly TidyFile[]): string[] {
  const paths = new Set(files.map((file) => file.path));
  const rooms = new Set<string>();
  for (const path of paths) {
    for (const parent of roomParents) {
      const rest = path.startsWith(`${parent}/`) ? path.slice(parent.length + 1) : '';
      if (rest.includes('/')) rooms.add(`${parent}/${rest.split('/')[0] ?? ''}`);
    }
  }
  return [...rooms]
    .filter((room) => !paths.has(`${room}/README.md`))
    .map((room) => `${room} has no README.md`);
}

function brokenLinks(files: readonly TidyFile[]): string[] {
  const places = new Set(files.flatMap((file) => [file.path, ...foldersOf(file.path)]));
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      relativeLinks(file.text)
        .filter((link) => !places.has(arrival(file.path, link)))
        .map((link) => `${file.path} links to ${link}, which is not there`),
    );
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map((match) => (match[1] ?? '').split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/i.test(link));
}

function arrival(from: string, link: string): string {
  const path = posix.normalize(posix.join(posix.dirname(from), decodeURI(link)));
  return path.endsWith('/') && path !== './' ? path.slice(0, -1) : path.replace(/^\.\/$/, '.');
}
