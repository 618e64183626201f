import { waitFor } from '../../../infra/local/wait.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import type { ShownClient } from '../../../services/cli/ports.ts';
import type { World } from '../../faults/scenario.ts';
import type { Credential } from '../../faults/workload/tokens.ts';
import { basic, callAt } from '../../support/platform-calls.ts';
import { step, underLoad } from '../steps.ts';

const KNOWN_MS_MAX = 30_000;
/** Calls that still carry the old secret have ended by then: longer than a request may take. */
const OLD_CALLS_MS = 8_000;

/**
 * A second secret, the client changes to it, the first one is retired. The client asks for tokens
 * all the time; both secrets are good until it has changed.
 */
export async function rotateClient(world: World): Promise<void> {
  const { house, residents, mustNotLeak } = world;
  const [credential] = residents.providers;
  if (credential === undefined) throw new Error('There is no client whose secret could change.');
  const old = credential.client_secret;
  const fresh = await step(world, 'client: a second secret holds at both gateways', async () => {
    const rotated = await rastroJson(world, ['rotate', credential.client_id]);
    const secret = String(rotated.client_secret);
    mustNotLeak(secret);
    await untilEach(world, credential, secret, true);
    return secret;
  });
  await untilEach(world, credential, old, true);
  credential.client_secret = fresh;
  await underLoad(OLD_CALLS_MS);
  await step(world, 'client: the first secret is refused at both gateways', async () => {
    const { secrets } = await rastroJson(world, ['show', credential.client_id]);
    const first = secrets.find(({ live }) => live);
    await clientCommand(house.operator, ['retire', credential.client_id, first?.secret_id ?? '']);
    await untilEach(world, credential, old, false);
  });
  await untilEach(world, credential, fresh, true);
}

async function rastroJson(
  { house }: World, args: readonly string[],
): Promise<ShownClient & { readonly client_secret?: string }> {
  const report = await clientCommand(house.operator, args);
  if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
  return report.value as ShownClient & { readonly client_secret?: string };
}

/** Waits until every gateway takes the secret, or refuses it. */
async function untilEach(
  { house }: World, { client_id }: Credential, secret: string, isGood: boolean,
): Promise<void> {
  for (const { name, url } of house.gateways) {
    await waitFor(async () => {
      const { status } = await callAt(url, '/oauth/token', {
        body: { audience: 'rtt', grant_type: 'client_credentials' },
        headers: { authorization: basic(client_id, secret) },
      });
      return isGood ? status === 200 : status === 401;
    }, {
      what: `${name} ${isGood ? 'taking' : 'refusing'} a secret`, deadlineMs: KNOWN_MS_MAX,
      everyMs: 250,
    });
  }
}
