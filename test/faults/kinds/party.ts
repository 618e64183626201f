import type { PartyMood } from '../workload/called-party.ts';
import type { Fault, World } from '../scenario.ts';

/** The called parties behave otherwise than usual. */
export function partyMood(mood: PartyMood): Fault {
  const all = ({ parties }: World, next: PartyMood): void => {
    for (const party of parties) party.setMood(next);
  };
  return {
    name: mood, target: 'called parties',
    begin: (world) => all(world, mood),
    end: (world) => all(world, 'usual'),
  };
}
