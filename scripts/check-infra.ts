/** `npm run check:infra`: manifests, image, compose file, rules, dashboards, each by its tool. */
import { join, resolve } from 'node:path';
import { infraGates } from '../infra/check/gates.ts';
import { unnoticed } from '../infra/check/prove.ts';
import { requireInfraTools } from '../infra/check/tools.ts';
import { example } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { describeVerdict } from './check/describe.ts';
import { runAllGates, type Gate } from './check/gate.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const print = (line: string): void => { process.stderr.write(`${line}\n`); };

await runScript((command, does) => {
  example(command.name('npm run check:infra --')
    .description('Holds everything below infra/ to the tools that know it: kustomize, kubeconform,'
      + ' kube-score, yamllint, hadolint, the image\'s own installation in an empty folder, the schema'
      + ' of Compose, and promtool. Brings them into the cache (RASTRO_CACHE_DIR) the first time;'
      + ' needs Go, Python with pip, and promtool or Debian\'s apt-get.')
    .argument('[gate...]', 'manifests, practice, autoscalers, second-deploy, waves, values, console-proxy, yaml, image, packages, compose,'
      + ' settings, operator, rules, dashboards')
    .option('--prove', 'breaks a copy in one way for each tool: all must complain', false)
    .action(does(async (_ports, only: readonly string[], words: { readonly prove: boolean }) => {
      const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
      const gates = infraGates(await requireInfraTools(ROOT_DIR, cacheDir, print));
      return words.prove ? prove(gates, only) : check(gates, only);
    })),
  'npm run check:infra -- manifests', 'Exit codes: 0 all green, 1 a gate complains, 2 wrong use.');
});

async function check(all: readonly Gate[], only: readonly string[]): Promise<number> {
  const gates = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const verdicts = await runAllGates(gates, ROOT_DIR, 1, (verdict) => {
    process.stdout.write(`${describeVerdict(verdict)}\n`);
  });
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed) ? 0 : 1;
}

async function prove(all: readonly Gate[], only: readonly string[]): Promise<number> {
  const gates = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const missed = await unnoticed(ROOT_DIR, gates, print);
  process.stdout.write(`${missed.length} of the broken ones went unnoticed\n`);
  return missed.length === 0 ? 0 : 1;
}
