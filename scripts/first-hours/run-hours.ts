import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freeBlock } from '../../test/support/free-block.ts';
import { startRun, untilReady, type StartRun } from '../../test/support/npm-start.ts';
import {
  blocksOn, startOptionsOf, TRIED_PAGES, type Block,
} from '../../test/support/pages/read-blocks.ts';
import { openReaderShell } from '../../test/support/pages/reader-shell.ts';
import { tryBlock } from '../../test/support/pages/try-block.ts';
import { clearLeftovers } from '../suite/leftovers.ts';
import { titleOf, wordsIn, type Hour, type HoursResult } from './page.ts';
import { watchLink } from './watch-link.ts';

/** What is run, and who hears of it. */
export interface HoursRun {
  readonly rootDir: string;
  readonly isCold: boolean;
  readonly left: AbortSignal;
  readonly print: (line: string) => void;
}

/** Where a stranger works, and in which environment. */
interface Site {
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
}

const READY_MS_MAX = 30 * 60_000;
const BLOCK_MS_MAX = 300_000;
const END_MS_MAX = 30_000;
const OPTIONS = ['--devices', '20'];
/** What a run of npm, of the tests or of the build server has in its environment. */
const FOREIGN = /^(npm_|NODE$|NODE_(?!EXTRA_CA)|INIT_CWD$|CI$|KAFKA_|REDIS_|CLICKHOUSE_|ANALYST_|SCHEMA_|RASTRO_)/;
/** With these npm finds its registry. */
const KEPT = /^npm_config_(registry|cafile|proxy|https_proxy)$/i;

/** Clones, starts, and follows the tutorials one after the other; leaves nothing behind. */
export async function runHours({ rootDir, isCold, left, print }: HoursRun): Promise<HoursResult> {
  const [load = 0] = loadavg();
  const home = mkdtempSync(join(tmpdir(), 'rastro-first-hours-'));
  const mark = { name: 'RASTRO_TEST_FIRST_HOURS', value: randomUUID() };
  const clear = () => clearLeftovers(`${mark.name}=${mark.value}`, END_MS_MAX);
  const site: Site = {
    dir: join(home, 'rastro'),
    env: {
      ...strangersEnv(process.env, rootDir), [mark.name]: mark.value,
      ...(isCold ? { npm_config_cache: join(home, 'npm') } : keptCache(process.env)),
    },
  };
  try {
    execFileSync('git', ['clone', '--quiet', rootDir, site.dir]);
    const result = await startAndFollow(site, left, print);
    return { ...result, load, leftBehind: (await clear()).length };
  } finally {
    await clear();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The environment of a new terminal: nothing of this run, and no program of this checkout. */
export function strangersEnv(env: NodeJS.ProcessEnv, rootDir: string): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !FOREIGN.test(name) || KEPT.test(name));
  const path = (env['PATH'] ?? '').split(delimiter)
    .filter((each) => !each.startsWith(rootDir) && !each.includes('node_modules'));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}

/** Without `--cold` the clone uses the programs that this machine has fetched already. */
function keptCache({ RASTRO_CACHE_DIR: dir }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return dir === undefined ? {} : { RASTRO_CACHE_DIR: dir };
}

async function startAndFollow(
  site: Site, left: AbortSignal, print: (line: string) => void,
): Promise<Pick<HoursResult, 'readyMs' | 'foundMs' | 'movingMs' | 'hours' | 'wrong'>> {
  const begunMs = performance.now();
  const words = ['start', '--', ...OPTIONS, '--port', String(await freeBlock())];
  const run = startRun('npm', words, { cwd: site.dir, env: site.env, detached: true });
  left.addEventListener('abort', () => void end(run));
  try {
    await untilReady(run, READY_MS_MAX);
    const readyMs = performance.now() - begunMs;
    print(`Ready after ${Math.round(readyMs / 1_000)} s.`);
    const answer = await wrongIn(site, firstQuestion(site));
    const foundMs = performance.now() - begunMs - readyMs;
    const seen = await watchLink(run.output());
    const movingMs = performance.now() - begunMs - readyMs - foundMs;
    const wrong = [answer, seen].filter((each) => each !== '').join('\n');
    print(`${wrong === '' ? 'ok  ' : 'FAIL'} README.md: vehicles are found ${Math.round(foundMs)} ms later,`
      + ` and move in a browser ${Math.round(movingMs)} ms after its link is opened`);
    return { readyMs, foundMs, movingMs, wrong, hours: await followAll(site, left, print) };
  } finally {
    await end(run);
  }
}

/** The first block of README.md that is asked again until there is an answer. */
function firstQuestion({ dir }: Site): readonly Block[] {
  const question = blocksOn('README.md', readFileSync(join(dir, 'README.md'), 'utf8'))
    .find(({ repeats }) => repeats);
  if (question === undefined) throw new Error('README.md asks nothing again.');
  return [question];
}

async function followAll(
  site: Site, left: AbortSignal, print: (line: string) => void,
): Promise<readonly Hour[]> {
  const hours: Hour[] = [];
  for (const page of TRIED_PAGES.filter((each) => each.startsWith('docs/tutorials/'))) {
    if (left.aborted) break;
    const hour = await follow(site, page);
    hours.push(hour);
    print(`${hour.wrong === '' ? 'ok  ' : 'FAIL'} ${page}: ${hour.blocks} blocks in ${
      Math.round(hour.tookMs / 1_000)} s`);
  }
  return hours;
}

async function follow(site: Site, page: string): Promise<Hour> {
  const markdown = readFileSync(join(site.dir, page), 'utf8');
  const blocks = blocksOn(page, markdown).filter(({ notRun }) => notRun === undefined);
  const begunMs = performance.now();
  const wrong = await wrongIn(site, blocks);
  const shown = blocks.findLast((block) => block.shown !== undefined)?.shown ?? '';
  return {
    page, title: titleOf(markdown), words: wordsIn(markdown), blocks: blocks.length,
    tookMs: performance.now() - begunMs, lastShown: shown.trim().split('\n').at(-1) ?? '', wrong,
  };
}

async function wrongIn({ dir, env }: Site, blocks: readonly Block[]): Promise<string> {
  const shell = openReaderShell({ cwd: dir, env, blockMsMax: BLOCK_MS_MAX });
  try {
    for (const block of blocks) {
      // The other terminal has done that.
      if (startOptionsOf(block) !== undefined) continue;
      const wrong = await tryBlock(shell, block);
      if (wrong !== '') return wrong;
    }
    return '';
  } finally {
    await shell.close();
  }
}

/** Ctrl-C in its terminal: the signal goes to npm and to all that it started. */
async function end({ child, ended }: StartRun): Promise<void> {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  } catch { /* All of it has ended. */ }
  await Promise.race([ended, delay(END_MS_MAX, undefined, { ref: false })]);
}
