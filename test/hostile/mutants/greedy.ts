import { COMMAND_KEY_NOT_CHECKED } from '../../faults/mutants/state.ts';
import type { HostileMutant } from './mutant.ts';

const HEAD = 'services/adapters/http/stages/head.ts';

/** Protections against who has every right that it uses, and uses it without measure. */
export const GREEDY_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'limits-that-always-fit',
    why: 'Clients keep to what was agreed; a limit only costs them data.',
    offender: 'flood-of-locations',
    patches: [
      {
        file: 'services/adapters/redis/scripts/gcra.lua',
        find: '  return bucket.tat - bucket.now + least <= bucket.window',
        replace: '  return true',
      },
      {
        // The second net: all clients of one user have limits too.
        file: HEAD,
        find: '  return tenants.limit(await withOverdue(',
        replace: '  return (await withOverdue(',
      },
    ],
  },
  {
    name: 'first-come-first-served',
    why: 'Who notifies first about a number will be its carrier.',
    offender: 'squatted-numbers',
    patches: [{
      file: 'services/domain/journey/owner.ts',
      find: '  if (first === undefined) return undefined;',
      replace: '  if (first === undefined || longest > 0) return undefined;',
    }],
  },
  {
    name: 'notifications-are-calls',
    why: 'The limits of calls and of bytes are enough for notifications.',
    offender: 'squatted-numbers',
    patches: [{
      file: 'services/gateways/notifications/operations/push-notifications.ts',
      find: '({ notifications: Array.isArray(body) ? body.length : 1 })',
      replace: '({ notifications: Array.isArray(body) ? 1 : 1 })',
    }],
  },
  {
    name: 'another-command-each-time',
    why: 'A platform that repeats a command wants it to be sent again.',
    offender: 'repeated-commands',
    patches: COMMAND_KEY_NOT_CHECKED,
  },
];
