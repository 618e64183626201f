/** `npm run first-hours`: follows the tutorials by machine, from nothing, and times them. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { pageOfHours } from './first-hours/page.ts';
import { runHours } from './first-hours/run-hours.ts';
import { commitOf } from './suite/commit.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly cold: boolean;
  readonly page: boolean;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT_DIR, 'docs', 'reference', 'first-hours.md');
const print = (line: string): void => { process.stdout.write(`${line}\n`); };

const leaving = firstSignal();
await runScript((command, does) => {
  example(command.name('npm run first-hours --')
    .description('Clones the last commit, starts it, and follows the tutorial of each user block by block'
      + ' in a shell of its own. It compares what is printed with what the page shows.')
    .option('--cold', 'with empty caches, as on a new machine: everything is fetched', false)
    .option('--page', 'write docs/reference/first-hours.md, of a cold start', false)
    .action(does((_ports, words: Words) => main(words))),
  'npm run first-hours -- --cold', 'Exit codes: 0 all as shown, 1 one is not, 2 wrong use.');
});

async function main({ cold, page }: Words): Promise<number> {
  const isCold = cold || page;
  const result = await runHours({ rootDir: ROOT_DIR, isCold, left: leaving.signal, print });
  const answers = [result, ...result.hours];
  const wrong = answers.filter((each) => each.wrong !== '');
  for (const each of wrong) print(each.wrong);
  if (result.leftBehind > 0) print(`${result.leftBehind} processes were left, and killed.`);
  const failed = wrong.length + result.leftBehind;
  const isGood = failed === 0 && !leaving.signal.aborted;
  if (page && isGood) writeFileSync(PAGE, pageOfHours(result, commitOf(ROOT_DIR)));
  print(`${answers.length - wrong.length} passed, ${failed} failed`);
  return isGood ? 0 : 1;
}
