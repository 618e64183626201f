import type { PartyMood } from '../workload/called-party.ts';
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
