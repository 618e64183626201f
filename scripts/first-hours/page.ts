import { availableParallelism } from 'node:os';

/** The first hour of one user: a tutorial that was followed. */
export interface Hour {
  readonly page: string;
  readonly title: string;
  readonly words: number;
  readonly blocks: number;
  readonly tookMs: number;
  /** The last line of the last output that the page shows. */
  readonly lastShown: string;
  /** Where it went another way than the page; empty when it did not. */
  readonly wrong: string;
}

/** A start from a clone, and the tutorials after it. */
export interface HoursResult {
  readonly readyMs: number;
  /** From then until the question of README.md finds where vehicles are. */
  readonly foundMs: number;
  /** From then until a browser that opened the printed link shows that one has moved. */
  readonly movingMs: number;
  /** The load of the machine before it began. */
  readonly load: number;
  readonly hours: readonly Hour[];
  /** Where the question of README.md went another way than it shows; empty when it did not. */
  readonly wrong: string;
  /** Processes that its Ctrl-C did not end; they were killed. */
  readonly leftBehind: number;
}

const MS_PER_SECOND = 1_000;

/** The page of a run in which everything was as shown. */
export function pageOfHours(
  { readyMs, foundMs, movingMs, load, hours }: Omit<HoursResult, 'leftBehind' | 'wrong'>,
  commit: string,
): string {
  const rows = hours.map(({ page, title, words, blocks, tookMs, lastShown }) => (
    `| [${title}](${page.replace(/^docs\//, '../')}) | ${words} | ${blocks} | ${secondsOf(tookMs)} | `
    + `\`${lastShown.replaceAll('|', '\\|')}\` |`
  ));
  return `# First hours

Made by \`npm run first-hours -- --page\` at commit \`${commit}\`, on ${availableParallelism()} cores with a load
of ${load.toFixed(1)} before: a clone with empty caches of npm and of ours, \`npm start -- --devices 20\`, then
each tutorial block by block in a shell of its own. What each block prints is compared with what its page shows. The
times are those of one machine and its network, without reading.

From \`npm start\` to "Rastro is ready", with every package and program fetched: ${secondsOf(readyMs)} s. From then until
the question in the README finds where vehicles are: ${tenthsOf(foundMs)} s. From a click on the printed link until a
vehicle moves on the map of the console, in a browser without a graphics card: ${tenthsOf(movingMs)} s.

| Tutorial | Words | Blocks | Followed in, s | It ends with |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** The first line of a heading, without its mark. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** Words between white space, as `wc -w` counts them. */
export function wordsIn(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}

function tenthsOf(ms: number): string {
  return (ms / MS_PER_SECOND).toFixed(1);
}

function secondsOf(ms: number): string {
  return String(Math.round(ms / MS_PER_SECOND));
}
