/** `npm run check:clients`: clients of the OpenAPI document by five generators, each in use. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withPrivateStack } from '../infra/local/processes/private-stack.ts';
import { example, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { CLIENTS, type Client } from './clients/clients.ts';
import { described, examine, type ClientVerdict } from './clients/examine.ts';
import { SEEDS, type Seed } from './clients/seeds.ts';
import { requireClientTools, type ClientTools } from './clients/tools.ts';
import type { JsonObject } from '../schemas/files.ts';

interface Words {
  readonly prove: boolean;
  readonly port: number;
}

/** Makes and uses a client with a transport of its own. */
type Examine = (client: Client, document: string) => Promise<ClientVerdict>;

const ROOT_DIR = resolve(import.meta.dirname, '..');
const WORK_DIR = join(ROOT_DIR, '.rastro', 'clients');
const STORIES = join(ROOT_DIR, 'test', 'clients');
const DOCUMENT = join(ROOT_DIR, 'schemas', 'generated', 'openapi.json');
const FIRST_TRANSPORT = 700_001;
const SAID_MAX = 300;

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
    const examineOne = examiner(tools, env);
    return prove
      ? proveSeeds(SEEDS.filter(({ client }) => isWanted(client)), examineOne, signal)
      : checkClients(CLIENTS.filter(({ name }) => isWanted(name)), examineOne, signal);
  });
}

function examiner(tools: ClientTools, env: Readonly<Record<string, string>>): Examine {
  let transport = FIRST_TRANSPORT;
  return (client, document) => {
    const site = { stories: STORIES, document, tools };
    return examine(client, WORK_DIR, site, { ...env, RASTRO_TRANSPORT: String(transport++) });
  };
}

async function checkClients(
  clients: readonly Client[], examineOne: Examine, signal: AbortSignal,
): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const client of clients) {
    if (signal.aborted) break;
    const verdict = await examineOne(client, DOCUMENT);
    if (verdict.passed) passed += 1;
    else failed += 1;
    print(described(client, verdict));
  }
  print(`${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0 && !signal.aborted ? 0 : 1;
}

async function proveSeeds(
  seeds: readonly Seed[], examineOne: Examine, signal: AbortSignal,
): Promise<number> {
  let missed = 0;
  for (const seed of seeds) {
    if (signal.aborted) break;
    const client = CLIENTS.find(({ name }) => name === seed.client);
    if (client === undefined) throw new Error(`There is no client ${seed.client}.`);
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as JsonObject;
    seed.spoil(document);
    mkdirSync(WORK_DIR, { recursive: true });
    const file = join(WORK_DIR, 'broken.json');
    writeFileSync(file, JSON.stringify(document));
    const verdict = await examineOne(client, file);
    const isSeen = !verdict.passed && verdict.step === seed.step;
    if (!isSeen) missed += 1;
    const where = verdict.passed ? 'passed' : `failed at ${verdict.step}`;
    print(`${isSeen ? 'seen' : 'MISSED'} ${seed.what}: ${client.generator} ${where}`);
    if (!isSeen) print(`     ${verdict.said.slice(0, SAID_MAX)}`);
  }
  print(`${missed} of the broken documents went unnoticed`);
  return seeds.length > 0 && missed === 0 && !signal.aborted ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
