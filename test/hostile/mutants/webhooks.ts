import type { HostileMutant } from './mutant.ts';

const WEBHOOK_SENDER = 'services/workers/parties/webhooks/webhook-sender.ts';

/** Protections against receivers that answer badly. */
export const WEBHOOKS_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'one-party-of-all-webhooks',
    why: 'Slots limit what is in flight to receivers, and all webhooks are of one kind.',
    offender: 'webhooks-that-never-answer',
    patches: [{
      file: WEBHOOK_SENDER,
      find: '      partyId: webhook_id,',
      replace: "      partyId: 'webhooks',",
    }],
  },
];
