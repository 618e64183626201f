/** `npm run check:infra`: manifests, image, compose file, rules, dashboards before their judges. */
import { join, resolve } from 'node:path';
import { infraGates } from '../infra/check/gates.ts';
import { unnoticed } from '../infra/check/prove.ts';
import { requireInfraTools } from '../infra/check/tools.ts';
import { describeVerdict } from './check/describe.ts';
import { judgeAll, type Gate } from './check/gate.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..');
const USAGE = `Holds everything below infra/ to the tools that know it: kustomize, kubeconform, kube-score,
yamllint, hadolint, the image's own installation in an empty folder, the schema of Compose, and
promtool. Brings them into the cache the first time.

  npm run check:infra [-- gate …]
  npm run check:infra -- --prove    breaks a copy in one way for each judge: all must complain

Gates: manifests, practice, yaml, image, packages, compose, rules, dashboards. Needs Go, Python with
pip, and promtool or Debian's apt-get. RASTRO_CACHE_DIR says where the tools are kept.
`;

try {
  const only = process.argv.slice(2);
  if (only.includes('--help')) {
    process.stdout.write(USAGE);
  } else {
    const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
    const tell = (line: string): void => { process.stderr.write(`${line}\n`); };
    const tools = await requireInfraTools(ROOT_DIR, cacheDir, tell);
    process.exitCode = only.includes('--prove')
      ? await prove(infraGates(tools), tell)
      : await check(infraGates(tools), only);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function check(all: readonly Gate[], only: readonly string[]): Promise<number> {
  const gates = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const verdicts = await judgeAll(gates, ROOT_DIR, 1, (verdict) => {
    process.stdout.write(`${describeVerdict(verdict)}\n`);
  });
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed) ? 0 : 1;
}

async function prove(gates: readonly Gate[], tell: (line: string) => void): Promise<number> {
  const missed = await unnoticed(ROOT_DIR, gates, tell);
  process.stdout.write(`${missed.length} of the broken ones went unnoticed\n`);
  return missed.length === 0 ? 0 : 1;
}
