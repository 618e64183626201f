import { join } from 'node:path';
import { GATEWAY_PROGRAMS } from '../../../services/gateways/gateways.ts';
import { complaintOf, type Act, type ActFinding } from '../../containers/acts/act.ts';
import type { ControlPlane } from '../control-plane.ts';
import { applyObjects, secretObjects } from '../product/deploy.ts';
import type { ProductStage } from '../product/place.ts';
import { hashOf, STATE_ADMIN, stateUrl, word, type DrawnSecrets } from '../product/secrets.ts';
import { underLoad } from '../product/under-load.ts';
import { awaitAll } from '../product/waves.ts';
import { offenceBy } from './offences.ts';

const USER = 'gateways';
/** What reads the password of that user. */
const READERS = [...GATEWAY_PROGRAMS, 'command-line'];

/** A new password of the gateways at the state store, as docs/how-to/rotate-secrets.md says. */
export const rotation: Act<ProductStage> = {
  name: 'rotation',
  does: 'another password of the gateways at the state store, by two that live at once: no call fails',
  run: (stage) => underLoad(stage, {
    name: 'rotation', disturb, answersAll: true,
    touches: (app) => READERS.includes(app),
  }),
  offences: [offenceBy('the old password is not taken away', 'old-secret-stays', /old password still opens/)],
};

async function disturb(stage: ProductStage): Promise<ActFinding> {
  const { plane } = await stage.cluster();
  const { drawn } = stage;
  const before = drawn.secrets ?? {};
  const old = new URL(before['rastro-gateways']?.['REDIS_URL'] ?? '').password;
  const fresh = word();
  await administer(stage, ['ACL', 'SETUSER', USER, `>${fresh}`]);
  drawn.secrets = withPassword(before, old, fresh);
  await applyObjects(plane, join(stage.folder, 'rotated.json'), secretObjects(drawn.secrets));
  const deployments = READERS.map((reader) => `deployment/${reader}`);
  await plane.kubectl(['--namespace', 'rastro', 'rollout', 'restart', ...deployments]);
  const complaints = await awaitAll(plane, deployments);
  const retire = (): Promise<string> => administer(stage, ['ACL', 'SETUSER', USER, `<${old}`]);
  const forgets = !stage.mistakes.has('old-secret-stays');
  if (forgets) await retire();
  const opens = await pings(plane, old);
  if (!forgets) await retire();
  return {
    seen: `${READERS.join(', ')} have the new one, the old one is refused`,
    complaints: [
      ...complaints, ...(opens ? ['the old password still opens the state store'] : []),
      ...(await pings(plane, fresh) ? [] : ['the new password does not open the state store']),
    ],
  };
}

/** The Secrets with another password, also in the file that the state store reads at its start. */
export function withPassword(before: DrawnSecrets, old: string, fresh: string): DrawnSecrets {
  const users = before['rastro-redis-users'] ?? {};
  return {
    ...before,
    'rastro-gateways': { ...before['rastro-gateways'], REDIS_URL: stateUrl(USER, fresh) },
    'rastro-redis-users': {
      ...users,
      'users.acl': (users['users.acl'] ?? '').replace(`#${hashOf(old)}`, `#${hashOf(fresh)}`),
    },
  };
}

async function administer(stage: ProductStage, words: readonly string[]): Promise<string> {
  const said = await stateStoreSays(stage, words);
  if (!/^OK$/m.test(said)) throw new Error(`The state store said ${said.trim()}.`);
  return said;
}

/** What the state store says to its administrator. */
export async function stateStoreSays(
  stage: ProductStage, words: readonly string[],
): Promise<string> {
  const { plane } = await stage.cluster();
  const password = stage.drawn.secrets?.[STATE_ADMIN]?.['password'] ?? '';
  return inStore(plane, ['--user', STATE_ADMIN, '--pass', password, ...words]);
}

async function pings(plane: ControlPlane, password: string): Promise<boolean> {
  const said = await inStore(plane, ['--user', USER, '--pass', password, 'PING'])
    .catch((error: unknown) => complaintOf(error));
  return /^PONG$/m.test(said);
}

function inStore({ kubectl }: ControlPlane, words: readonly string[]): Promise<string> {
  return kubectl([
    '--namespace', 'rastro', 'exec', 'redis-0', '--', 'redis-cli', '--no-auth-warning', ...words,
  ]);
}
