import type { GateReport } from '../../scripts/check/gate.ts';
import { gatewaysSettings } from '../../services/adapters/config/gateways.ts';
import { readConfig } from '../../services/adapters/config/read-config.ts';
import { workersSettings } from '../../services/adapters/config/workers.ts';
import { GATEWAYS } from '../../services/gateways/gateways.ts';
import { requireDecisions } from '../../services/gateways/require-decisions.ts';
import { chooseParts } from '../../services/process/choose-parts.ts';
import { readConfig as readProviderConfig } from '../../services/provider/config.ts';
import { composeServices, type ComposeServices } from './compose-files.ts';
import { RENDERINGS, renderedCompose, renderedOverlay, type RenderedProcess } from './rendered.ts';
import type { InfraTools } from './tools.ts';

const KEY = `${'A'.repeat(43)}=`;
const DEMO = 'infra/compose/demo.ts';
const A_CLIENT = '100000000000001';

/** Every program of each overlay and of the compose file would start, and serve the interface. */
export async function checkSettings(
  root: string, { kustomize }: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  const complaints: string[] = [];
  let seen = 0;
  complaints.push(...idleDemo(composeServices(root)).map((wrong) => `compose ${wrong}`));
  for (const name of ['compose', ...RENDERINGS]) {
    const processes = name === 'compose'
      ? renderedCompose(root) : await renderedOverlay(root, name, kustomize);
    seen += processes.length;
    complaints.push(...processes.flatMap((each) =>
      wrongsOf(each).map((wrong) => `${name} ${each.name}: ${wrong}`)));
  }
  return { seen, complaints };
}

/** What the demonstration lacks to drive; its client is made as it starts (compose/demo.ts). */
export function idleDemo(services: ComposeServices): readonly string[] {
  const demo = Object.entries(services).find(([, { command }]) => command?.includes(DEMO));
  if (demo === undefined) return ['has no demonstration'];
  const [name, { environment }] = demo;
  const client = {
    RASTRO_CLIENT_ID: A_CLIENT, RASTRO_CLIENT_SECRET: 'a-secret', RASTRO_PROVIDER: 'demo',
  };
  try {
    const { devices } = readProviderConfig({ ...environment, ...client }, []);
    return devices > 0 ? [] : [`${name}: RASTRO_REPLAY_DEVICES is 0, so nothing drives`];
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
}

/** What would keep a program from starting, or from serving the interface. */
export function wrongsOf(process: RenderedProcess): readonly string[] {
  try {
    const env = envOf(process);
    if (process.kind === 'workers') {
      readConfig('workers', workersSettings, env);
      return [];
    }
    const config = readConfig('gateways', gatewaysSettings, env);
    requireDecisions(chooseParts(process.runs, GATEWAYS), config);
    return config.RASTRO_CLIENT_ID_REQUIRED
      ? ['RASTRO_CLIENT_ID_REQUIRED: the interface names no X-Client-Id'] : [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** As rendered, with some value for what deployments and their secrets give. */
function envOf({ env, secrets }: RenderedProcess): Readonly<Record<string, string>> {
  const given = Object.entries(env).map(([name, value]) =>
    [name, value.startsWith('your-') && name.endsWith('_CLIENT_ID') ? A_CLIENT : value]);
  return {
    ...Object.fromEntries(given) as Readonly<Record<string, string>>,
    ...Object.fromEntries(secrets.map((name) => [name, secretOf(name)])),
  };
}

function secretOf(name: string): string {
  if (name === 'RASTRO_PERSONAL_KEY') return `own:${KEY}`;
  if (name.endsWith('_KEY')) return KEY;
  return name === 'REDIS_URL' ? 'rediss://redis:6379' : 'a-secret-of-a-deployment';
}
