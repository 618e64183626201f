/** `npm run manifests`: the resources of production, out of one file of values. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requireKustomize } from '../infra/check/tools.ts';
import { readValues, valuesTemplate } from '../infra/values/read-values.ts';
import { renderProd, writeValues } from '../infra/values/render.ts';
import { tooSmall } from '../infra/values/too-small.ts';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const say = (line: string): void => { process.stderr.write(`${line}\n`); };

interface Words {
  readonly template: boolean;
  readonly overlay: boolean;
  readonly out?: string;
}

await runScript((command, does) => {
  example(command.name('npm run manifests --')
    .description('Renders infra/kubernetes/overlays/prod with a file of values, which says what only'
      + ' an operator can say. Names each value that is missing, and each size below what the profile'
      + ' needs. Brings kustomize into the cache the first time, which needs Go.')
    .argument('[values]', 'the file of values')
    .option('--template', 'writes an empty file of values', false)
    .option('--out <file>', 'where the resources go; else to the standard output')
    .option('--overlay', 'writes overlays/prod/values, for kubectl apply -k and GitOps', false)
    .action(does((_ports, file: string | undefined, words: Words) => manifests(file, words))),
  'npm run --silent manifests -- values.yaml --out rastro.yaml',
  'Exit codes: 0 rendered, 1 a value is missing or wrong, 2 wrong use.');
});

async function manifests(
  file: string | undefined, { template, overlay, out }: Words,
): Promise<number> {
  if (template) {
    process.stdout.write(valuesTemplate());
    return 0;
  }
  if (file === undefined) {
    say('Name a file of values, or --template.');
    return 2;
  }
  const values = readValues(readFileSync(file, 'utf8'));
  tooSmall(values).forEach(say);
  if (overlay) {
    writeValues(ROOT_DIR, values);
    return 0;
  }
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const text = await renderProd(ROOT_DIR, values, await requireKustomize(cacheDir, say));
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
  return 0;
}
