import { offend, pause, together } from '../calls.ts';
import type { Offender, OffenderEnv, PartyManners } from '../offender.ts';

const RTT = '/shipping/rtt/devices?country_id=BR';
const FIRST_TRANSPORT = 8_000_000;
let devices = 0;

/** Facts for the webhooks of the guest: each of its clients registers devices all the time. */
function keepThemPosted(env: OffenderEnv): Promise<void> {
  const { clients } = env.guest;
  return together(env, clients.length, async (nth, at) => {
    devices += 1;
    await offend(env, {
      path: RTT, token: clients[at]?.token ?? '',
      body: JSON.stringify({
        external_entity: { entity_id: `hook-${process.pid}-${devices}`, entity_type: 'truck' },
        transport: { id: FIRST_TRANSPORT + process.pid % 1_000 * 1_000 + devices },
      }),
    }, nth + at);
    await pause(env, 50);
  });
}

function receiver(name: string, manners: PartyManners, does: string, heldBy: string): Offender {
  return { name, does, heldBy, party: manners, run: keepThemPosted };
}

const APART = 'each webhook has a queue and slots of its own; a post has an end (ADR 0097)';

/** Receivers of five webhooks that answer badly what is posted to them. */
export const WEBHOOKS: readonly Offender[] = [
  receiver('webhooks-that-never-answer', 'never', 'takes posts and never answers', APART),
  receiver('webhooks-that-drip', 'slow', 'answers posts a byte at a time', APART),
  receiver('webhooks-with-endless-bodies', 'endless', 'answers posts with a body that never ends',
    'an answer ends at 64 KiB and in time'),
  receiver('webhooks-that-redirect', 'redirect', 'redirects every post to an address inside',
    'redirects are not followed'),
];
