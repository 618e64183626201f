/** `npm run fuzz:api`: generated calls to every operation of the served OpenAPI document. */
import { join, resolve } from 'node:path';
import { example, wholeFrom } from '../../services/adapters/command-line/command-line.ts';
import { runScript } from '../../services/adapters/command-line/run-script.ts';
import { fuzz, type FuzzResult, type FuzzRun } from './api/fuzz.ts';
import { requireSchemathesis } from './api/install.ts';
import { withPrivateStack } from '../../infra/local/processes/private-stack.ts';
import type { LocalStack } from '../../infra/local/processes/local-stack.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const PROVIDER_OPERATION = 'provider-command';
const PLENTY = '100000000';

/** One client sends everything, and a quota is not what is looked for. */
const QUOTAS = Object.fromEntries([
  'REQUESTS_PER_SECOND', 'REQUESTS_BURST', 'LOCATIONS_PER_SECOND', 'LOCATIONS_BURST',
  'NOTIFICATIONS_PER_SECOND', 'NOTIFICATIONS_BURST',
  'DEVICE_REQUESTS_PER_SECOND', 'DEVICE_REQUESTS_BURST', 'TOKEN_REQUESTS_PER_MINUTE',
  'TOKEN_REQUESTS_BURST', 'BYTES_PER_SECOND', 'BYTES_BURST', 'BAD_TOKENS_PER_MINUTE',
  'BAD_TOKENS_BURST',
].map((name) => [`RASTRO_${name}`, PLENTY]));

interface Words {
  readonly port: number;
  readonly seed: number;
  readonly examples: number;
}

await runScript((command, does) => {
  example(command.name('npm run fuzz:api --')
    .description('Sends generated calls, right and wrong ones, to every operation of the OpenAPI'
      + ' document.')
    .option('--seed <n>', 'what is sent depends on it', wholeFrom(0, 2 ** 32), 20_261_121)
    .option('--examples <n>', 'cases of each phase for each operation, at most',
      wholeFrom(1, 10_000), 20)
    .option('--port <p>', 'the private platform listens on P to P+15', wholeFrom(1_024, 65_500), 18_340)
    .action(does((_ports, words: Words) => fuzzApi(words))),
  'npm run fuzz:api -- --examples 50',
  'Exit codes: 0 none is wrong, 1 an answer is a 5xx, is not documented or does not follow its schema,'
  + '\nor a wrong call or one without a token was accepted, 2 wrong use.');
});

async function fuzzApi({ port, seed, examples }: Words): Promise<number> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const packages = await requireSchemathesis(cacheDir, (line) => process.stderr.write(`${line}\n`));
  return withPrivateStack({ port: port, gatewaySettings: QUOTAS }, async (
    local, signal,
  ) => {
    const run = { seed, examplesMax: examples, packages, ...whereOf(local) };
    const results = [
      await fuzz({ ...run, operations: ['--exclude-operation-id', PROVIDER_OPERATION] }, signal),
      await fuzz({
        ...run, url: local.providerUrl, operations: ['--include-operation-id', PROVIDER_OPERATION],
      }, signal),
    ];
    return summarize(results, seed);
  });
}

function whereOf({ url, identity, secrets, dir }: LocalStack): Pick<FuzzRun, 'document' | 'url' | 'dir' | 'env'> {
  return {
    document: `${url}/openapi.json`, url, dir,
    env: {
      RASTRO_URL: url,
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
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
