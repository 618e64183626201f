/**
 * `npm run faults`: the product as real processes under real faults, judged by a checker of its own
 * (test/faults/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutantPageOf } from '../test/faults/mutants/mutant-page.ts';
import { tryMutants } from '../test/faults/mutants/try-mutants.ts';
import { runMatrix } from '../test/faults/run/run-matrix.ts';
import { lineOf, pageOf, soakPageOf } from '../test/faults/run/table.ts';
import { SCENARIOS } from '../test/faults/scenarios/index.ts';
import { soakOf } from '../test/faults/scenarios/soak.ts';
import { commitOf } from './suite/commit.ts';
import { runMain } from './suite/run-main.ts';

const USAGE = `Runs the product under faults and judges what came of it.

  npm run faults -- --smoke            the short matrix (at most 8 minutes)
  npm run faults -- --all              every scenario; writes docs/reference/faults.md
  npm run faults -- --only NAME        one scenario, or several with commas between
  npm run faults -- --mutants [NAME …] every mutant (or those named) must turn its run red; with
                                       none named, or --rows, writes docs/reference/faults-mutants.md
  npm run faults -- --soak 20m         a random fault every 20 s; from 20 minutes on it writes
                                       docs/reference/soak.md
  npm run faults -- --list             the names of the scenarios

  --seed N     the same workload and faults again (default: a new one, printed)
  --keep       keep the directory of a red run (of mutants: of one that was missed)
  --rows FILE  keep what came of mutants in FILE, so that several calls make the page together
`;
const SEED_MAX = 1_000_000;
const PAGE = new URL('../docs/reference/faults.md', import.meta.url);
const SOAK_PAGE = new URL('../docs/reference/soak.md', import.meta.url);
/** A shorter soak is a try: it leaves the page alone. */
const SOAK_PAGE_SECONDS_MIN = 1_200;
const MUTANTS_PAGE = new URL('../docs/reference/faults-mutants.md', import.meta.url);

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => { leaving.abort(); });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      soak: { type: 'string' },
      seed: { type: 'string' },
      keep: { type: 'boolean', default: false },
      rows: { type: 'string', default: '' },
    },
  });
  const seed = values.seed === undefined ? randomInt(1, SEED_MAX) : Number(values.seed);
  const commit = commitOf();
  if (values.mutants) {
    print(`seed ${seed}, commit ${commit}`);
    const { passed, failed, rows } = await tryMutants({
      names: positionals, seed, commit, keeps: values.keep, rowsFile: values.rows,
      leaving: leaving.signal, print,
    });
    const isForPage = positionals.length === 0 || values.rows !== '';
    if (isForPage) writeFileSync(MUTANTS_PAGE, mutantPageOf(rows));
    print(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  }
  const wanted = new Set(values.only.split(',').filter((name) => name !== ''));
  const unknown = [...wanted].find((name) => SCENARIOS.every((each) => each.name !== name));
  if (unknown !== undefined) throw new Error(`No scenario ${unknown}; see --list.`);
  if (values.list) {
    for (const { name, does, isSmoke } of SCENARIOS) {
      print(`${isSmoke === true ? 'smoke ' : '      '}${name}: ${does}`);
    }
    return 0;
  }
  if (!values.smoke && !values.all && values.soak === undefined && wanted.size === 0) {
    print(USAGE);
    return 2;
  }
  print(`seed ${seed}, commit ${commit}`);
  const soakSeconds = values.soak === undefined ? undefined : secondsOf(values.soak);
  const chosen = soakSeconds !== undefined
    ? [soakOf(soakSeconds)]
    : SCENARIOS.filter(({ name, isSmoke }) =>
      values.all || wanted.has(name) || (values.smoke && isSmoke === true));
  const rows = await runMatrix(chosen, {
    seed, keeps: values.keep, leaving: leaving.signal, note: print,
    onRow: (row) => { print(lineOf(row)); },
  });
  const failed = chosen.length - rows.filter(({ troubles }) => troubles.length === 0).length;
  const [first] = rows;
  if (values.all) {
    writeFileSync(PAGE, pageOf(rows, { command: `npm run faults -- --all --seed ${seed}`, commit }));
  } else if (first !== undefined && (soakSeconds ?? 0) >= SOAK_PAGE_SECONDS_MIN) {
    const command = `npm run faults -- --soak ${values.soak ?? ''} --seed ${seed}`;
    writeFileSync(SOAK_PAGE, soakPageOf(first, { command, commit }));
  }
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** `90s` or `20m`. */
function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)([sm])$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`No length of time: ${text}; say 90s or 20m.`);
  return Number(count) * (unit === 'm' ? 60 : 1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await runMain(main, 2);
