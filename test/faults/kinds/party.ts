import type { PartyMood } from '../workload/called-party.ts';
import type { ReceiverMood } from '../workload/webhook-receiver.ts';
import type { Fault, FaultEnv } from '../scenario.ts';

/** The called parties behave otherwise than usual. */
export function partyMood(mood: PartyMood): Fault {
  const all = ({ parties }: FaultEnv, next: PartyMood): void => {
    for (const party of parties) party.setMood(next);
  };
  return {
    name: mood, target: 'called parties',
    begin: (env) => all(env, mood),
    end: (env) => all(env, 'usual'),
  };
}

/** The receivers of webhooks behave otherwise than usual. */
export function receiverMood(mood: ReceiverMood): Fault {
  return {
    name: mood, target: 'receivers of webhooks',
    begin: ({ webhooks }) => webhooks?.setMood(mood),
    end: ({ webhooks }) => webhooks?.setMood('usual'),
  };
}
