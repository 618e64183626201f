import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { FaultEnv } from '../../faults/scenario.ts';
import { restartAs, step } from '../steps.ts';
import { untilLevel } from './level.ts';

/** Who calls parties, and so opens their secrets. */
const HOLDERS: readonly ProcessName[] = ['parties', 'workers-1', 'workers-2'];

/**
 * Every process that calls parties gets the new key, then it comes first and every secret is
 * sealed by
 * it, then the old one goes. Commands go out to providers all the time, each with an opened secret.
 */
export async function rotateVaultKey(faultEnv: FaultEnv, fresh: string): Promise<void> {
  const { cluster, mustNotLeak } = faultEnv;
  mustNotLeak(fresh);
  const old = cluster.secrets.vaultKey;
  await eachHolds(faultEnv, 'vault: every process knows the new key', `${old},${fresh}`);
  await eachHolds(faultEnv, 'vault: the new key comes first', `${fresh},${old}`);
  await step(faultEnv, 'vault: every secret is sealed by the new one', async () => {
    const report = await partyCommand(
      { ...cluster.operator, vault: createVault(`${fresh},${old}`) }, ['reseal'],
    );
    if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
    faultEnv.remark(`vault: ${report.lines.join(' ')}`);
    await untilLevel(cluster, 'rastro.projector.access', TOPICS.parties.name);
  });
  await mustOpenWith(faultEnv, fresh, true);
  await mustOpenWith(faultEnv, old, false);
  await eachHolds(faultEnv, 'vault: the old key is gone', fresh);
}

async function eachHolds(faultEnv: FaultEnv, what: string, keys: string): Promise<void> {
  await step(faultEnv, what, async () => {
    for (const name of HOLDERS) {
      await restartAs(faultEnv.cluster, name, { env: { RASTRO_VAULT_KEY: keys } });
    }
  });
}

/** What the state store keeps of parties is opened by a key alone, or is not. */
async function mustOpenWith({ cluster }: FaultEnv, key: string, canOpen: boolean): Promise<void> {
  const sealed = await cluster.raw.keys('*:party:*');
  if (sealed.length === 0) throw new Error('No party is in the state store.');
  for (const name of sealed) {
    const [secret = ''] = /v1\.[\w-]{20,}/.exec(await cluster.raw.hget(name, 'fact') ?? '') ?? [];
    if (opens(key, secret) !== canOpen) {
      throw new Error(`${name} is ${canOpen ? 'not sealed by the new key' : 'opened by the old one'}.`);
    }
  }
}

function opens(key: string, secret: string): boolean {
  try {
    createVault(key).open(secret);
    return true;
  } catch {
    return false;
  }
}
