import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchCosts } from './generate-capacity/costs.ts';
import { dictionaryPage } from './generate-dictionary/page.ts';
import { generatedFiles } from './generate/files.ts';
import { readSource } from './generate/source.ts';

/**
 * `generate.ts` writes `schemas/generated/`, the data dictionary, the page of capacity and what is
 * generated below `infra/`; with `--check` it names what drifts and exits 1.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'schemas');
const source = readSource(root);
const files = await generatedFiles(source);
const paths = Object.keys(files).map((name) => join('generated', name));

if (process.argv.includes('--check')) {
  const drifting = paths.filter((path, index) => current(path) !== Object.values(files)[index]);
  for (const path of drifting) process.stderr.write(`schemas/${path} drifts; run generate.ts\n`);
  process.exitCode = drifting.length === 0 ? 0 : 1;
} else {
  mkdirSync(join(root, 'generated'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, 'generated', name), content);
  }
  process.stdout.write(`${paths.map((path) => `schemas/${path}`).join('\n')}\n`);
}

// Only now, because it reads what was written just before.
const { generateInfra } = await import('../infra/generate/generate-infra.ts');
const isCheck = process.argv.includes('--check');
for (const path of generateInfra(join(root, '..'), isCheck)) {
  if (isCheck) {
    process.stderr.write(`${path} drifts; run generate.ts\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`${path}\n`);
  }
}

const dictionary = '../docs/reference/data-dictionary.md';
const page = dictionaryPage(join(root, '..'), source);
if (!isCheck) {
  writeFileSync(join(root, dictionary), page);
} else if (current(dictionary) !== page) {
  process.stderr.write('docs/reference/data-dictionary.md drifts; run generate.ts\n');
  process.exitCode = 1;
}

const { capacityPage } = await import('../services/cli/capacity/page.ts');
const capacity = '../docs/reference/capacity.md';
const capacityText = capacityPage(benchCosts(join(root, '..')));
if (!isCheck) {
  writeFileSync(join(root, capacity), capacityText);
} else if (current(capacity) !== capacityText) {
  process.stderr.write('docs/reference/capacity.md drifts; run generate.ts\n');
  process.exitCode = 1;
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
