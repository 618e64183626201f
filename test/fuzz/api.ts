/** `npm run fuzz:api`: generated calls to every operation of the served OpenAPI document. */
import { join, resolve } from 'node:path';
import { fuzz, type FuzzResult, type FuzzRun } from './api/fuzz.ts';
import { requireSchemathesis } from './api/install.ts';
import { readOptions, USAGE } from './api/options.ts';
import { withPrivateSystem } from '../../infra/local/processes/private-system.ts';
import type { System } from '../../infra/local/processes/system.ts';
import { runMain } from '../../scripts/suite/run-main.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const PROVIDER_OPERATION = 'provider-command';
const PLENTY = '100000000';

/** One client sends everything, and a quota is not what is looked for. */
const QUOTAS = Object.fromEntries([
  'REQUESTS_PER_SECOND', 'REQUESTS_BURST', 'LOCATIONS_PER_SECOND', 'LOCATIONS_BURST',
  'DEVICE_REQUESTS_PER_SECOND', 'DEVICE_REQUESTS_BURST', 'TOKEN_REQUESTS_PER_MINUTE',
  'TOKEN_REQUESTS_BURST',
].map((name) => [`RASTRO_${name}`, PLENTY]));

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const packages = await requireSchemathesis(cacheDir, (line) => process.stderr.write(`${line}\n`));
  return withPrivateSystem({ port: options.port, gatewaySettings: QUOTAS }, async (
    system, signal,
  ) => {
    const run = { ...options, packages, ...whereOf(system) };
    const results = [
      await fuzz({ ...run, operations: ['--exclude-operation-id', PROVIDER_OPERATION] }, signal),
      await fuzz({
        ...run, url: system.providerUrl, operations: ['--include-operation-id', PROVIDER_OPERATION],
      }, signal),
    ];
    return summarize(results, options.seed);
  });
}

function whereOf({ url, identity, around }: System): Pick<FuzzRun, 'document' | 'url' | 'dir' | 'env'> {
  return {
    document: `${url}/openapi.json`, url, dir: around.dir,
    env: {
      RASTRO_URL: url,
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_COMMAND_TOKEN: around.secrets.commandToken,
    },
  };
}

function summarize(results: readonly FuzzResult[], seed: number): number {
  const sum = (name: keyof FuzzResult): number =>
    results.reduce((total, result) => total + result[name], 0);
  const [operations, cases, failures, errors] =
    [sum('operations'), sum('cases'), sum('failures'), sum('errors')];
  process.stdout.write(`\n${operations} operations, ${cases} cases, ${failures} failures,`
    + ` ${errors} errors, seed ${seed}\n`);
  return cases > 0 && failures === 0 && errors === 0 ? 0 : 1;
}

await runMain(main);
