import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { brunoFiles, strayFiles } from './generate-bruno/files.ts';
import { benchCosts } from './generate-capacity/costs.ts';
import { dbtSources } from './generate-dbt/sources.ts';
import { dictionaryPage } from './generate-dictionary/page.ts';
import { asyncapiFile } from './generate/asyncapi.ts';
import { generatedFiles } from './generate/files.ts';
import { markedPages } from './generate/marked-pages.ts';
import { referencePages } from './generate/reference-pages.ts';
import { readSource } from './generate/source.ts';

interface Words {
  readonly check: boolean;
  readonly asyncapi: boolean;
}

const root = join(import.meta.dirname, '..');
const source = readSource(join(root, 'schemas'));

await runScript((command, does) => {
  example(command.name('npm run generate --')
    .description('Writes schemas/generated/, the collection of Bruno, the pages of settings, metrics, topics, columns, capacity and commands, the'
      + ' sources of dbt and what is generated below infra/.')
    .option('--check', 'writes nothing and names what drifts', false)
    .option('--asyncapi', 'prints the AsyncAPI document of the topics, which is not committed', false)
    .action(does((_ports, { check, asyncapi }: Words) => {
      if (!asyncapi) return generateAll(check);
      process.stdout.write(asyncapiFile(source));
      return 0;
    })),
  'npm run generate -- --check', 'Exit codes: 0 done, 1 a file drifts, 2 wrong use.');
});

/** Writes a file, or says that it drifts; gives how many drift. */
function keep(path: string, text: string, isCheck: boolean): number {
  const file = join(root, path);
  if (isCheck) return current(file) === text ? 0 : drifts(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${path}\n`);
  return 0;
}

function drifts(path: string): number {
  process.stderr.write(`${path} drifts; run generate.ts\n`);
  return 1;
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Keeps the collection of Bruno, and removes requests that it has no more. */
function keepCollection(files: Readonly<Record<string, string>>, isCheck: boolean): number {
  let drifting = 0;
  for (const [path, text] of Object.entries(files)) drifting += keep(path, text, isCheck);
  for (const path of strayFiles(root, files)) {
    if (isCheck) drifting += drifts(path);
    else rmSync(join(root, path));
  }
  return drifting;
}

async function generateAll(isCheck: boolean): Promise<number> {
  let drifting = 0;
  const generated = await generatedFiles(source);
  for (const [name, content] of Object.entries(generated)) {
    drifting += keep(`schemas/generated/${name}`, content, isCheck);
  }
  drifting += keepCollection(brunoFiles(generated['openapi.json']), isCheck);
  // Imported only now: they read what was written just before.
  const { generateInfra } = await import('../infra/generate/generate-infra.ts');
  for (const path of generateInfra(root, isCheck)) {
    if (isCheck) drifting += drifts(path);
    else process.stdout.write(`${path}\n`);
  }
  const dictionary = dictionaryPage(root, source);
  drifting += keep('docs/reference/data-dictionary.md', dictionary, isCheck);
  drifting += keep('docs/analysts/dbt/models/generated/sources.yml', dbtSources(root), isCheck);
  for (const [page, text] of await markedPages(root, source)) drifting += keep(page, text, isCheck);
  for (const [page, text] of await referencePages(source)) drifting += keep(page, text, isCheck);
  const { capacityPage } = await import('../services/cli/capacity/page.ts');
  drifting += keep('docs/reference/capacity.md', capacityPage(benchCosts(root)), isCheck);
  const { commandLinePage } = await import('./generate-command-line/page.ts');
  drifting += keep('docs/reference/command-line.md', await commandLinePage(), isCheck);
  return drifting === 0 ? 0 : 1;
}
