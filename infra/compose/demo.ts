/**
 * First process of the demonstration's container: makes a client by the operator's command line,
 * once per volume, and then runs the reference provider that acts as this client.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = process.env['RASTRO_DEMO_FILE'] ?? 'client.json';
const CLIENT = [
  'client', 'add', '--name', 'Demo', '--provider', 'demo', '--json',
  '--audience', 'rtt,revoke,authorizations,logistic-feed',
  '--scope', 'rtt:devices,rtt:locations,rtt:events,authorizations,tracking:push',
];

interface DemoClient {
  readonly client_id: string;
  readonly client_secret: string;
}

function demoClient(): DemoClient {
  if (!existsSync(FILE)) {
    const made = spawnSync(process.execPath, ['services/cli/main.ts', ...CLIENT], {
      encoding: 'utf8', env: withoutDemo(),
    });
    if (made.status !== 0) throw new Error(`No client was made: ${made.stderr}`);
    writeFileSync(FILE, made.stdout, { mode: 0o600 });
  }
  return JSON.parse(readFileSync(FILE, 'utf8')) as DemoClient;
}

/** The platform's own processes refuse names of ours that they do not know. */
function withoutDemo(): NodeJS.ProcessEnv {
  const { RASTRO_DEMO_FILE: _file, ...env } = process.env;
  return env;
}

const { client_id, client_secret } = demoClient();
const provider = spawn(process.execPath, ['services/provider/main.ts'], {
  stdio: 'inherit',
  env: {
    ...withoutDemo(), RASTRO_CLIENT_ID: client_id, RASTRO_CLIENT_SECRET: client_secret,
    RASTRO_PROVIDER: 'demo', RASTRO_COUNTRY: 'US',
  },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => provider.kill(signal));
}
provider.once('exit', (code) => { process.exitCode = code ?? 1; });
