import { command, offend, pause, together } from '../calls.ts';
import type { Offender, OffenderEnv, PartyManners } from '../offender.ts';

const RTT = '?country_id=BR';
let keys = 0;

/** Commands for the guest's party, so that the workers call it all the time. */
function keepItCalled(env: OffenderEnv): Promise<void> {
  return together(env, 4, async (nth, at) => {
    await command(env, `party-${process.pid}-${keys += 1}`, nth + at);
    await pause(env, 50);
  });
}

function party(
  name: string, manners: PartyManners, does: string, heldBy: string,
  more: Pick<Offender, 'isSmoke' | 'hasPoisonedSecret'> = {},
): Offender {
  return { name, does, heldBy, party: manners, ...more, run: keepItCalled };
}

const OUTCOME = 'what a party answers ends in an outcome of that command (CMD-43)';

/** Parties that answer the platform's calls badly. */
export const PARTIES: readonly Offender[] = [
  party('party-with-broken-tokens', 'line-break-token',
    'its token endpoint answers tokens with line breaks in them', OUTCOME, { isSmoke: true }),
  party('party-that-never-answers', 'never', 'takes calls and never answers',
    'a call to a party has an end; parties do not wait for each other'),
  party('party-with-endless-bodies', 'endless', 'answers with a body that never ends',
    'an answer ends at 64 KiB and in time'),
  party('party-that-redirects', 'redirect', 'redirects every call to an address inside',
    'redirects are not followed'),
  party('party-that-breaks-off', 'broken', 'cuts the line in the middle of its answers', OUTCOME),
  party('party-that-drips', 'slow', 'answers a byte at a time',
    'a call to a party has an end; parties do not wait for each other'),
  party('party-with-junk', 'junk', 'answers bytes that are no HTTP', OUTCOME),
  {
    name: 'examinations-without-end', party: 'never',
    does: 'has the address of its own party examined again and again; it never answers',
    heldBy: 'of a party one examination at a time is in progress, and twelve begin in an hour (ADR 0110)',
    // A machine that is slow refuses few, since a refusal comes late (ADR 0028).
    mustGet: { answer: '429', times: 20 },
    run: (env) => together(env, 8, async (nth, at) => {
      await offend(env, {
        path: `/shipping/rtt/examinations/${env.guest.partyId}${RTT}`,
        token: env.guest.clients[0]?.token ?? '',
      }, nth + at);
      await pause(env, 50);
    }),
  },
  party('poisoned-secret', 'polite', 'its secret is sealed with a key that the workers do not have',
    'such a party cannot be called, and no other is touched (CMD-43)', { hasPoisonedSecret: true }),
];
