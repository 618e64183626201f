import { partyMood } from '../kinds/party.ts';
import type { Scenario } from '../scenario.ts';

/** The called party fails, and then says nothing. */
export const partyAway: Scenario = {
  name: 'party-away', does: 'the called provider answers 500, then nothing at all',
  aims: ['I10', 'I13'], seconds: 22,
  plan: () => [
    { atMs: 500, forMs: 8_000, fault: partyMood('failing') },
    { atMs: 10_000, forMs: 8_000, fault: partyMood('silent') },
  ],
};
