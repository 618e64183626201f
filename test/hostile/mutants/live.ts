import type { HostileMutant } from './mutant.ts';

/** Protections of the live feeds and of pictures of the past. */
export const LIVE_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'pictures-without-slots',
    why: 'The limit of calls is enough: a page of the past is one call.',
    offender: 'storm-of-pictures',
    patches: [
      {
        file: 'services/gateways/common/tenant-slots.ts',
        find: '    if (own.held > waitingMax) return undefined;',
        replace: '',
      },
      {
        // The second net: without it who waits too long is refused instead.
        file: 'services/gateways/common/tenant-slots.ts',
        find: 'const WAIT_MS_MAX = 3_000;',
        replace: 'const WAIT_MS_MAX = 600_000;',
      },
    ],
  },
  {
    name: 'followers-without-limit',
    why: 'A copy takes 2,000 followers; whose they are is no matter.',
    offender: 'followers-that-do-not-read',
    patches: [{
      file: 'services/gateways/live/limits.ts',
      find: '  clientViewersMax: 200,',
      replace: '  clientViewersMax: 2_000,',
    }],
  },
];
