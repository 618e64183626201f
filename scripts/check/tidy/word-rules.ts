import type { TidyRule } from './rule.ts';
import type { TidyFile } from './tree.ts';

/** A banned word: where it is looked for, what to do instead, and what of a line is spared. */
interface BannedWord {
  readonly name: string;
  readonly pattern: RegExp;
  readonly where: (path: string) => boolean;
  readonly instead: string;
  readonly spared?: RegExp;
}

const isCode = (path: string): boolean => /\.(ts|mjs|cjs|js)$/.test(path);
const isTest = (path: string): boolean => isCode(path) && path.startsWith('test/');
const isProduct = (path: string): boolean => isCode(path) && !path.startsWith('scripts/');

// The rules and their tests contain the words that they ban.
const speakers = /^(scripts\/check\/tidy|test\/unit\/tidy)\//;
const contract = 'docs/interface.md';

// A text in quotes or a comment may use the word of the language; code may not use the type.
const sentences = /(['"`])(?:\\.|(?!\1).)*\1|(^|\s)(\/\/|\*|\/\*).*$/g;

const bannedWords: readonly BannedWord[] = [
  {
    name: 'no-plans-in-the-tree',
    pattern: /\b(TODO|FIXME|XXX)\b/,
    where: (path) => path !== contract && !/\.json$/.test(path),
    instead: 'do it now or write an ADR',
  },
  {
    name: 'no-any',
    pattern: /(:\s*any\b|\bas any\b|<any[,>]|\bany\[\])/,
    where: (path) => /\.ts$/.test(path),
    instead: 'say unknown and narrow it',
    spared: sentences,
  },
  {
    name: 'no-only-no-skip',
    pattern: /\.(only|skip|todo)\(/,
    where: isTest,
    instead: 'every test runs, always',
  },
  {
    name: 'no-console',
    pattern: /\bconsole\.\w+\(/,
    where: isProduct,
    instead: 'use a signal',
  },
  {
    name: 'no-metric-names',
    pattern: /['"`]rastro_[a-z_]+/,
    where: (path) => /^services\/.*\.ts$/.test(path) && !path.startsWith('services/kernel/signals/'),
    instead: 'call a function of the table of signals (kernel/signals.ts)',
  },
  {
    name: 'no-sleep',
    pattern: /\bsleep\(/,
    where: isTest,
    instead: 'wait for a condition',
  },
  {
    name: 'no-machine-paths',
    pattern: /(\/work\/(main|shared)\b|\/tmp\/rastro\b|\/root\/|\.\.\/shared\/)/,
    where: () => true,
    instead: 'the tree must work on any machine',
  },
  {
    name: 'no-registry-hosts',
    pattern: registryHosts(process.env),
    where: () => true,
    instead: 'registries are the business of the clients’ own settings',
  },
];

/** Rules about words that may not stand in the tree. */
export const wordRules: readonly TidyRule[] = bannedWords.map((word) => ({
  name: word.name,
  offences: (files) => files.flatMap((file) => offencesOf(word, file)),
}));

function offencesOf(word: BannedWord, file: TidyFile): string[] {
  if (!word.where(file.path) || speakers.test(file.path)) return [];
  // In prose a word in backticks is spoken about, not used.
  const spared = file.path.endsWith('.md') ? /`[^`]*`/g : word.spared;
  return file.text.split('\n').flatMap((line, index) => {
    const found = word.pattern.exec(spared === undefined ? line : line.replace(spared, ' '));
    return found ? [`${file.path}:${index + 1} says "${found[0]}": ${word.instead}`] : [];
  });
}

/** The public registries, and whatever private one this machine's settings name. */
function registryHosts(env: NodeJS.ProcessEnv): RegExp {
  const named = ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'PIP_INDEX_URL', 'GOPROXY'];
  const own = named.flatMap((name) => /:\/\/(?:[^@/]*@)?([^/:,]+)/.exec(env[name] ?? '')?.[1] ?? []);
  const known = [
    'registry.npmjs.org',
    'registry.yarnpkg.com',
    'repo1.maven.org',
    'repo.maven.apache.org',
    'packages.confluent.io',
    'files.pythonhosted.org',
    'pypi.org',
    'proxy.golang.org',
  ];
  return new RegExp([...known, ...own].map((host) => host.replaceAll('.', '\\.')).join('|'));
}
