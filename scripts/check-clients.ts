/** `npm run check:clients`: clients of the OpenAPI document by five generators, each in use. */
import { join, resolve } from 'node:path';
import { withPrivateStack } from '../infra/local/processes/private-stack.ts';
import { example, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { CLIENTS } from './clients/clients.ts';
import { examine } from './clients/examine.ts';
import { checkClients, proveSeeds, type ClientRun } from './clients/run.ts';
import { SEEDS } from './clients/seeds.ts';
import { requireClientTools, type ClientTools } from './clients/tools.ts';

interface Words {
  readonly prove: boolean;
  readonly port: number;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const WORK_DIR = join(ROOT_DIR, '.rastro', 'clients');
const STORIES = join(ROOT_DIR, 'test', 'clients');
const DOCUMENT = join(ROOT_DIR, 'schemas', 'generated', 'openapi.json');
const FIRST_TRANSPORT = 700_001;

await runScript((command, does) => {
  example(command.name('npm run check:clients --')
    .description('Generates a client of schemas/generated/openapi.json by each of five generators, compiles'
      + ' it under strict settings, and runs the story of test/clients/README.md with it against a private'
      + ' platform. Brings the generators into the cache (RASTRO_CACHE_DIR) the first time; needs Go,'
      + ' Python with pip, a JDK, Maven and npm. The clients stay in .rastro/clients.')
    .argument('[client...]', CLIENTS.map(({ name }) => name).join(', '))
    .option('--prove', 'breaks the document in one way after the other: a client must fail at each', false)
    .option('--port <p>', 'the private platform listens on P to P+24', wholeFrom(1_024, 65_500), 18_600)
    .action(does((_ports, only: readonly string[], words: Words) => main(only, words))),
  'npm run check:clients -- typescript go',
  'Exit codes: 0 all passed, 1 a client failed or a fault went unnoticed, 2 wrong use.');
});

async function main(only: readonly string[], { prove, port }: Words): Promise<number> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const tools = await requireClientTools(STORIES, cacheDir, print);
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  return withPrivateStack({ port }, async ({ url, identity }, signal) => {
    const env = {
      RASTRO_URL: url, RASTRO_PROVIDER: identity.provider, RASTRO_COUNTRY: identity.country,
      RASTRO_CLIENT_ID: identity.clientId, RASTRO_CLIENT_SECRET: identity.clientSecret,
    };
    const run: ClientRun = {
      document: DOCUMENT, workDir: WORK_DIR, signal, print, examine: examiner(tools, env),
    };
    return prove
      ? proveSeeds(SEEDS.filter(({ client }) => isWanted(client)), run)
      : checkClients(CLIENTS.filter(({ name }) => isWanted(name)), run);
  });
}

function examiner(tools: ClientTools, env: Readonly<Record<string, string>>): ClientRun['examine'] {
  let transport = FIRST_TRANSPORT;
  return (client, document) => {
    const site = { stories: STORIES, document, tools };
    return examine(client, WORK_DIR, site, { ...env, RASTRO_TRANSPORT: String(transport++) });
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
