import { waitFor } from '../../../infra/local/wait.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import type { ShownClient } from '../../../services/cli/ports.ts';
import type { FaultEnv } from '../../faults/scenario.ts';
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
export async function rotateClient(faultEnv: FaultEnv): Promise<void> {
  const { cluster, residents, mustNotLeak } = faultEnv;
  const [credential] = residents.providers;
  if (credential === undefined) throw new Error('There is no client whose secret could change.');
  const old = credential.client_secret;
  const fresh = await step(faultEnv, 'client: a second secret holds at both gateways', async () => {
    const rotated = await rastroJson(faultEnv, ['rotate', credential.client_id]);
    const secret = String(rotated.client_secret);
    mustNotLeak(secret);
    await untilEach(faultEnv, credential, secret, true);
    return secret;
  });
  await untilEach(faultEnv, credential, old, true);
  credential.client_secret = fresh;
  await underLoad(OLD_CALLS_MS);
  await step(faultEnv, 'client: the first secret is refused at both gateways', async () => {
    const { secrets } = await rastroJson(faultEnv, ['show', credential.client_id]);
    const first = secrets.find(({ live }) => live);
    await clientCommand(cluster.operator, ['retire', credential.client_id, first?.secret_id ?? '']);
    await untilEach(faultEnv, credential, old, false);
  });
  await untilEach(faultEnv, credential, fresh, true);
}

async function rastroJson(
  { cluster }: FaultEnv, args: readonly string[],
): Promise<ShownClient & { readonly client_secret?: string }> {
  const report = await clientCommand(cluster.operator, args);
  if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
  return report.value as ShownClient & { readonly client_secret?: string };
}

/** Waits until every gateway takes the secret, or refuses it. */
async function untilEach(
  { cluster }: FaultEnv, { client_id }: Credential, secret: string, isGood: boolean,
): Promise<void> {
  for (const { name, url } of cluster.gateways) {
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
