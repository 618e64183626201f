import { readdirSync, readFileSync } from 'node:fs';

/** A command, or several, that a page gives its reader, and what the page says that it prints. */
export interface Block {
  readonly page: string;
  /** Of its first line in the page, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** What the page shows below; undefined where it shows nothing. */
  readonly shown?: string;
  /** The page says to ask again until the answer is as shown. */
  readonly repeats: boolean;
  /** Why it cannot run where pages are tried. */
  readonly notRun?: string;
}

/** A fenced block as it is in the page. */
export interface Fence {
  readonly line: number;
  readonly language: string;
  readonly words: readonly string[];
  readonly body: readonly string[];
  readonly reason: string | undefined;
}

/** Languages of blocks that a reader runs; the others show something. */
const RUN = new Set(['sh', 'console', 'python', 'sql']);
const PROMPT = '$ ';

/** The blocks of a page that a reader runs, in the order of the page. */
export function readBlocks(page: string): readonly Block[] {
  return blocksOn(page, readFileSync(page, 'utf8'));
}

/**
 * The blocks of a text that a reader runs. A block `text` below one shows what that prints; in a
 * block `console` each line after `$` runs and the lines below it show. The word `repeat` beside
 * the language says that the reader asks again, and `<!-- not run: why -->` above a block that it
 * cannot run; `<!-- not run from here on: why -->` holds for all that follow.
 */
export function blocksOn(page: string, markdown: string): readonly Block[] {
  const fences = fencesIn(markdown);
  return fences.flatMap((fence, at) => {
    if (!RUN.has(fence.language)) return [];
    const common = {
      page, language: fence.language, repeats: fence.words.includes('repeat'),
      ...(fence.reason === undefined ? {} : { notRun: fence.reason }),
    };
    if (fence.language === 'console') return commandsIn(fence).map((each) => ({ ...common, ...each }));
    const next = fences[at + 1];
    const shown = next?.language === 'text' ? { shown: next.body.join('\n') } : {};
    return [{ ...common, line: fence.line, text: fence.body.join('\n'), ...shown }];
  });
}

/** All fenced blocks of a text, in their order. */
export function fencesIn(markdown: string): readonly Fence[] {
  const fences: Fence[] = [];
  interface OpenFence { line: number; words: string[]; body: string[]; reason: string | undefined }
  let open: OpenFence | undefined;
  let [reason, reasonOfAll]: readonly (string | undefined)[] = [];
  for (const [at, whole] of markdown.split('\n').entries()) {
    const line = whole.trimStart();
    if (open !== undefined) {
      if (line.startsWith('```')) {
        const [language = '', ...words] = open.words;
        fences.push({ ...open, language, words });
        open = undefined;
      } else open.body.push(whole);
    } else if (line.startsWith('```')) {
      const why = reason ?? reasonOfAll;
      open = { line: at + 2, words: line.slice(3).trim().split(' '), body: [], reason: why };
      reason = undefined;
    } else if (line !== '') {
      reason = /^<!-- not run: (.+) -->$/.exec(line)?.[1];
      reasonOfAll = /^<!-- not run from here on: (.+) -->$/.exec(line)?.[1] ?? reasonOfAll;
    }
  }
  return fences;
}

/** The commands of a block `console`, each with what the block shows of it. */
export function commandsIn({ line, body }: Fence): readonly Pick<Block, 'line' | 'text' | 'shown'>[] {
  const found: { line: number; text: string; shown: string[] }[] = [];
  for (const [at, text] of body.entries()) {
    if (text.startsWith(PROMPT)) {
      found.push({ line: line + at, text: text.slice(PROMPT.length), shown: [] });
    } else found.at(-1)?.shown.push(text);
  }
  return found.map(({ shown, ...each }) => ({
    ...each, ...(shown.length === 0 ? {} : { shown: shown.join('\n') }),
  }));
}

/** Pages whose blocks a test runs, in the order in which it does. */
export const TRIED_PAGES: readonly string[] = [
  'README.md',
  ...['provider', 'carrier', 'platform', 'analyst', 'operator']
    .map((name) => `docs/tutorials/${name}.md`),
  ...readdirSync('docs/how-to').filter((name) => name.endsWith('.md'))
    .map((name) => `docs/how-to/${name}`),
  'docs/analysts/exports.md', 'docs/queries/README.md', 'docs/reference/limits.md',
];

/** The options of a block that is `npm start`, which another terminal runs; else undefined. */
export function startOptionsOf({ text }: Block): readonly string[] | undefined {
  const start = /^npm start(?: --(.*))?(?:\s+#.*)?$/;
  const [, options] = start.exec(text.trim()) ?? [];
  if (!/^npm start\b/.test(text.trim())) return undefined;
  return (options ?? '').trim().split(' ').filter((word) => word !== '');
}
