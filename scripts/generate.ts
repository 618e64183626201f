import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchCosts } from './generate-capacity/costs.ts';
import { dictionaryPage } from './generate-dictionary/page.ts';
import { asyncapiFile } from './generate/asyncapi.ts';
import { generatedFiles } from './generate/files.ts';
import { withMarkedPart } from './generate/marked.ts';
import { readSource } from './generate/source.ts';

/**
 * `generate.ts` writes `schemas/generated/`, the data dictionary, the page of capacity and what is
 * generated below `infra/`; with `--check` it names what drifts and exits 1. `--asyncapi` prints
 * the AsyncAPI document of the topics, which is not committed.
 */
const root = join(import.meta.dirname, '..');
const source = readSource(join(root, 'schemas'));
const isCheck = process.argv.includes('--check');

/** Writes a file, or says that it drifts. */
function keep(path: string, text: string): void {
  const file = join(root, path);
  if (!isCheck) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  } else if (current(file) !== text) {
    drifts(path);
  }
}

function drifts(path: string): void {
  process.stderr.write(`${path} drifts; run generate.ts\n`);
  process.exitCode = 1;
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function generateAll(): Promise<void> {
  for (const [name, content] of Object.entries(await generatedFiles(source))) {
    keep(`schemas/generated/${name}`, content);
  }
  // Imported only now: they read what was written just before.
  const { generateInfra } = await import('../infra/generate/generate-infra.ts');
  for (const path of generateInfra(root, isCheck)) {
    if (isCheck) drifts(path);
    else process.stdout.write(`${path}\n`);
  }
  keep('docs/reference/data-dictionary.md', dictionaryPage(root, source));
  const { stageList, stageTable } = await import('./generate/request-stages.ts');
  for (const [page, lines] of [
    ['services/gateways/README.md', stageList()],
    ['services/adapters/http/README.md', stageTable()],
  ] as const) {
    keep(page, withMarkedPart(join(root, page), 'stages', lines));
  }
  const { capacityPage } = await import('../services/cli/capacity/page.ts');
  keep('docs/reference/capacity.md', capacityPage(benchCosts(root)));
}

if (process.argv.includes('--asyncapi')) process.stdout.write(asyncapiFile(source));
else await generateAll();
