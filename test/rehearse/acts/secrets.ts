import { randomBytes } from 'node:crypto';
import type { Scenario, FaultEnv } from '../../faults/scenario.ts';
import { deed } from '../steps.ts';
import { rotateClient } from '../rotate/client.ts';
import { rotateLogUsers, rotateStateUsers, type RolePasswords } from '../rotate/part-users.ts';
import { rotatePersonalKey } from '../rotate/personal-key.ts';
import { rotateTablesUser } from '../rotate/tables-user.ts';

/** Secrets change while everything works, and callers must not notice. */
export const secrets: Scenario = {
  name: 'secrets',
  does: 'secrets of a client, of users at log, state store and tables, and the key of personal data',
  aims: ['I1', 'I3', 'I7', 'I14', 'I15', 'I17'], seconds: 1, isBalanced: true,
  ownCluster: { hasLogins: true },
  plan: () => [{ atMs: 0, fault: deed('rotation', 'every secret', async (faultEnv) => {
    await rotateClient(faultEnv);
    await rotateLogUsers(faultEnv, newPasswords(faultEnv));
    await rotateStateUsers(faultEnv, newPasswords(faultEnv));
    await rotatePersonalKey(faultEnv, randomBytes(32).toString('base64'));
    await rotateTablesUser(faultEnv, newPassword(faultEnv));
  }) }],
};

function newPasswords(faultEnv: FaultEnv): RolePasswords {
  return { gateways: newPassword(faultEnv), workers: newPassword(faultEnv) };
}

function newPassword({ mustNotLeak }: FaultEnv): string {
  const password = randomBytes(24).toString('base64url');
  mustNotLeak(password);
  return password;
}
