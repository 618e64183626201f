import { request } from 'node:http';
import { ADDRESS, offend, pause, together } from '../calls.ts';
import type { Offender, OffenderEnv } from '../offender.ts';

const RTT = '?country_id=BR';
const MINUTE_MS = 60_000;
/** Twice what a client may follow at one copy. */
const FOLLOWERS = 400;
/** Of lines that are opened at the same moment, those too many are taken, and end at once. */
const AT_ONCE = 20;

/** Opens a feed, counts its answer and reads nothing of it until the offence ends. */
function followUnread(env: OffenderEnv, token: string): Promise<void> {
  return new Promise((resolve) => {
    const call = request(new URL(`/shipping/rtt/live/positions${RTT}`, env.live), {
      agent: false, localAddress: ADDRESS, headers: { authorization: `Bearer ${token}` },
    }, (answer) => {
      env.count(answer.statusCode ?? 0);
      answer.pause();
      resolve();
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (!env.signal.aborted) env.count(error.code ?? error.name);
      resolve();
    });
    env.signal.addEventListener('abort', () => call.destroy());
    call.end();
  });
}

/** Who follows and asks for the past without measure. */
export const LIVE: readonly Offender[] = [
  {
    name: 'storm-of-pictures', isSmoke: true,
    does: 'asks where its fleet was a minute ago with five clients, within their limits of calls',
    heldBy: 'one page of the past is read at a time for a user; eight more wait',
    // Of some 300 calls a second; those above the limit of calls would be far fewer.
    mustGet: { answer: '429', times: 100 },
    run: (env) => together(env, 64, async (nth, at) => {
      const time = new Date(Date.now() - MINUTE_MS).toISOString();
      const client = env.guest.clients[at % env.guest.clients.length];
      await offend({ ...env, gateways: [env.live] }, {
        path: `/shipping/rtt/live/fleet${RTT}&at=${time}`, method: 'GET', token: client?.token ?? '',
      }, nth);
      await pause(env, 200);
    }),
  },
  {
    name: 'followers-that-do-not-read',
    does: `follows its positions on ${FOLLOWERS} lines at once and reads nothing of them`,
    heldBy: 'a client follows on 200 lines at a copy; what waits on a line is bounded',
    mustGet: { answer: '429', times: FOLLOWERS / 2 - AT_ONCE },
    async run(env) {
      const token = env.guest.clients[0]?.token ?? '';
      for (let opened = 0; opened < FOLLOWERS && !env.signal.aborted; opened += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => followUnread(env, token)));
      }
      await pause(env, 600_000);
    },
  },
];
