/** `npm run check:clients`: clients of the OpenAPI document by five generators, each in use. */
import { join, resolve } from 'node:path';
import { withPrivateStack } from '../infra/local/processes/private-stack.ts';
import { example, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { BRUNO, requireBruno } from './clients/bruno.ts';
import { brunoEnv } from './clients/bruno-stack.ts';
import { CLIENTS, type Client } from './clients/clients.ts';
import { examine } from './clients/examine.ts';
import { KITS, requireKitTools } from './clients/kits.ts';
import { checkClients, proveSeeds, type ClientRun } from './clients/run.ts';
import { SEEDS } from './clients/seeds.ts';
import { requireClientTools } from './clients/tools.ts';

interface Words {
  readonly prove: boolean;
  readonly bring: boolean;
  readonly port: number;
}

const ROOT_DIR = resolve(import.meta.dirname, '..');
const WORK_DIR = join(ROOT_DIR, '.rastro', 'clients');
const STORIES = join(ROOT_DIR, 'test', 'clients');
const DOCUMENT = join(ROOT_DIR, 'schemas', 'generated', 'openapi.json');
const FIRST_TRANSPORT = 700_001;
const NAMES = [...CLIENTS, ...KITS, BRUNO].map(({ name }) => name);

await runScript((command, does) => {
  example(command.name('npm run check:clients --')
    .description('Generates a client of schemas/generated/openapi.json by each of five generators, and'
      + ' packs and installs the two kits of services/clients; compiles each under strict settings, and runs'
      + ' the story of test/clients/README.md with it against a private platform. Runs each request of the collection of Bruno there. Brings the generators into the cache (RASTRO_CACHE_DIR) the first time; needs Go,'
      + ' Python with pip, a JDK, Maven and npm; `kits` alone needs Python with pip and npm, `bruno` npm. The clients stay in .rastro/clients.')
    .argument('[client...]', `${NAMES.join(', ')}, or kits`)
    .option('--bring', 'brings what it needs into the cache, and ends', false)
    .option('--prove', 'breaks the document in one way after the other: a client must fail at each', false)
    .option('--port <p>', 'the private platform listens on P to P+24', wholeFrom(1_024, 65_500), 18_600)
    .action(does((_ports, only: readonly string[], words: Words) => main(only, words))),
  'npm run check:clients -- typescript go',
  'Exit codes: 0 all passed, 1 a client failed or a fault went unnoticed, 2 wrong use.');
});

async function main(only: readonly string[], { prove, bring, port }: Words): Promise<number> {
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
  const isWanted = (name: string, group = name): boolean => (
    only.length === 0 || only.includes(name) || only.includes(group)
  );
  const generated = CLIENTS.filter(({ name }) => isWanted(name));
  const kits = prove ? [] : KITS.filter(({ name }) => isWanted(name, 'kits'));
  const collections = isWanted(BRUNO.name) ? [BRUNO] : [];
  const examiners = new Map<string, Examiner>();
  if (generated.length > 0) {
    const tools = await requireClientTools(STORIES, cacheDir, print);
    for (const client of generated) examiners.set(client.name, examinerOf(client, tools));
  }
  if (kits.length > 0) {
    const tools = await requireKitTools(STORIES, cacheDir, print);
    for (const kit of kits) examiners.set(kit.name, examinerOf(kit, tools));
  }
  if (collections.length > 0) {
    examiners.set(BRUNO.name, examinerOf(BRUNO, await requireBruno(STORIES, cacheDir, print)));
  }
  if (bring) return 0;
  return withPrivateStack({ port }, async (local, signal) => {
    const { url, identity } = local;
    const env = {
      RASTRO_URL: url, RASTRO_PROVIDER: identity.provider, RASTRO_COUNTRY: identity.country,
      RASTRO_CLIENT_ID: identity.clientId, RASTRO_CLIENT_SECRET: identity.clientSecret,
      ...(collections.length > 0 ? await brunoEnv(local, DOCUMENT) : {}),
    };
    let transport = FIRST_TRANSPORT;
    const run: ClientRun = {
      document: DOCUMENT, workDir: WORK_DIR, signal, print,
      examine({ name }, document) {
        const examiner = examiners.get(name);
        if (examiner === undefined) throw new Error(`The tools of ${name} were not brought.`);
        return examiner(document, { ...env, RASTRO_TRANSPORT: String(transport++) });
      },
    };
    return prove
      ? proveSeeds(SEEDS.filter(({ client }) => isWanted(client)), run)
      : checkClients([...generated, ...kits, ...collections], run);
  });
}

type Examiner = (
  document: string, env: Readonly<Record<string, string>>,
) => ReturnType<ClientRun['examine']>;

function examinerOf<Tools>(client: Client<Tools>, tools: Tools): Examiner {
  return (document, env) => examine(client, WORK_DIR, { stories: STORIES, document, tools }, env);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
