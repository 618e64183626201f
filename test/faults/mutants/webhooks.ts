import type { Mutant } from './mutant.ts';

/** Mistakes about webhooks. */
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  {
    name: 'posts-past-a-failed-one',
    why: 'One fact that a receiver does not take must not keep the next ones from it.',
    breaks: ['I19'],
    scenario: 'webhooks-killed',
    patches: [{
      file: 'services/workers/parties/webhooks/run-outbox.ts',
      find: '(key) => !held.has(key));',
      replace: '() => true);',
    }],
  },
  {
    name: 'broken-line-is-taken',
    why: 'A receiver that breaks the line has read the request.',
    breaks: ['I19'],
    scenario: 'webhooks-killed',
    patches: [{
      file: 'services/domain/webhook/delivery.ts',
      find: `  if (tried.kind === 'lost') return { outcome, reason: tried.reason, ...kept, waitMs };`,
      replace: `  if (tried.kind === 'lost') return { outcome: 'delivered', status: 200, failures };`,
    }],
  },
];
