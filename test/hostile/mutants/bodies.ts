import type { HostileMutant } from './mutant.ts';

const LIMITS = 'services/kernel/limits.ts';

/** Protections against bodies that cost much. */
export const BODIES_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'values-without-limit',
    why: 'The limit of bytes is enough: a value has at least one byte.',
    offender: 'many-values',
    patches: [{
      file: LIMITS,
      find: 'export const BODY_VALUES_MAX = 150_000;',
      replace: 'export const BODY_VALUES_MAX = 150_000_000;',
    }],
  },
  {
    name: 'large-bodies-at-once',
    why: 'Large bodies are rare; to let them wait costs the carrier time.',
    offender: 'flood-of-bytes',
    patches: [{
      file: 'services/adapters/http/large-bodies.ts',
      find: '      if (bytes < largeBodyBytesMin) return undefined;',
      replace: '      if (bytes >= 0) return undefined;',
    }],
  },
  {
    name: 'size-known-late',
    why: 'The log says itself when a record is too large.',
    offender: 'oversized-records',
    patches: [
      {
        file: 'services/gateways/notifications/operations/push-notifications.ts',
        find: '  if (large !== undefined) {',
        replace: '  if (large !== undefined && text === \'\') {',
      },
      {
        file: 'services/adapters/http/serve-call.ts',
        find: '  if (error instanceof RecordTooLarge) return',
        replace: '  if (error instanceof RecordTooLarge && context === undefined) return',
      },
    ],
  },
];
