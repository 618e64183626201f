/**
 * `npm run rehearse`: what operators do to a running system, done under load and judged
 * (test/rehearse/README.md). The last line is `N passed, N failed`.
 */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runMatrix } from '../test/faults/run/run-matrix.ts';
import { machineFacts } from '../test/bench/measure/machine.ts';
import { actsOf } from '../test/rehearse/acts/index.ts';
import { earlierCommit } from '../test/rehearse/earlier-commit.ts';
import { lineOf, pageOf, type Played } from '../test/rehearse/page.ts';
import { runMain } from './suite/run-main.ts';

const USAGE = `Deploys, rolls back, scales, rotates secrets and restores from a backup, under load.

  npm run rehearse                     every act; writes docs/reference/rehearse.md
  npm run rehearse -- --only NAME      one act, or several with commas between
  npm run rehearse -- --list           the names of the acts

  --earlier COMMIT  the earlier release of deploy and rollback (default: the last tag, without one
                    the commit before the last change of the product)
  --seed N          the same workload again (default: a new one, printed)
  --keep            keep the directory of a red act
  --out FILE        write the page there, also with --only
  --rows FILE       keep what came of acts in FILE, so that several calls make the page together
`;
const SEED_MAX = 1_000_000;
const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = resolve(ROOT_DIR, 'docs', 'reference', 'rehearse.md');

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => { leaving.abort(); });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      earlier: { type: 'string' },
      seed: { type: 'string' },
      keep: { type: 'boolean', default: false },
      out: { type: 'string' },
      rows: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(USAGE);
    return 0;
  }
  const earlier = values.earlier ?? await earlierCommit(ROOT_DIR);
  const acts = actsOf(earlier);
  if (values.list) {
    for (const { name, does } of acts) print(`${name}: ${does}`);
    return 0;
  }
  const wanted = values.only.split(',').filter((name) => name !== '');
  const unknown = wanted.find((name) => acts.every((act) => act.name !== name));
  if (unknown !== undefined) throw new Error(`No act ${unknown}; see --list.`);
  const chosen = acts.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const seed = values.seed === undefined ? randomInt(1, SEED_MAX) : Number(values.seed);
  const { commit, cores, loadBefore: load } = machineFacts();
  print(`seed ${seed}, commit ${commit}, earlier release ${earlier}`);
  const rows = await runMatrix(chosen, {
    seed, keeps: values.keep, leaving: leaving.signal, note: print,
    onRow: (row) => { print(lineOf(row)); },
  });
  const played = rows.map((row): Played => ({
    row, commit, cores, load,
    command: `npm run rehearse -- --only ${row.name} --seed ${seed} --earlier ${earlier}`,
  }));
  const known = values.rows === undefined ? played : keep(values.rows, played);
  const page = values.out ?? (wanted.length === 0 ? PAGE : undefined);
  if (page !== undefined) {
    writeFileSync(page, pageOf(acts.flatMap(({ name }) => known.filter((one) => (
      one.row.name === name
    )))));
  }
  const failed = chosen.length - rows.filter(({ troubles }) => troubles.length === 0).length;
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Adds acts to those of earlier calls; one that was played again takes the place of the old. */
function keep(path: string, played: readonly Played[]): readonly Played[] {
  const before = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8')) as readonly Played[]
    : [];
  const all = [
    ...before.filter(({ row }) => played.every((one) => one.row.name !== row.name)), ...played,
  ];
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  return all;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

await runMain(main, 2);
