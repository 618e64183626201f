import { randomBytes } from 'node:crypto';
import type { Scenario, World } from '../../faults/scenario.ts';
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
  ownHouse: { hasLogins: true },
  plan: () => [{ atMs: 0, fault: deed('rotation', 'every secret', async (world) => {
    await rotateClient(world);
    await rotateLogUsers(world, newPasswords(world));
    await rotateStateUsers(world, newPasswords(world));
    await rotatePersonalKey(world, randomBytes(32).toString('base64'));
    await rotateTablesUser(world, newPassword(world));
  }) }],
};

function newPasswords(world: World): RolePasswords {
  return { gateways: newPassword(world), workers: newPassword(world) };
}

function newPassword({ mustNotLeak }: World): string {
  const password = randomBytes(24).toString('base64url');
  mustNotLeak(password);
  return password;
}
