import { basic } from '../../support/platform-calls.ts';
import { command, locationsOf, locationsPath, nowSeconds, offend, pause, together } from '../calls.ts';
import type { GuestClient, Offender, OffenderEnv } from '../offender.ts';

const RTT = '?country_id=BR';
const SAME = 'the same command';
const SQUATTERS = 8;
/** Numbers that one call notifies about. */
const SQUATTED = 50;
let sequence = 0;

function clientOf({ guest }: OffenderEnv, nth: number): GuestClient {
  const client = guest.clients[nth % guest.clients.length];
  if (client === undefined) throw new Error('The guest has no client.');
  return client;
}

function fixes(count: number): readonly number[] {
  return Array.from({ length: count }, (_, nth) => nowSeconds() - nth);
}

function postAs(env: OffenderEnv, client: GuestClient, count: number, at: number): Promise<void> {
  return offend(env, {
    path: locationsPath(env.guest.provider), token: client.token,
    body: locationsOf(client.deviceId, fixes(count), { altitude: sequence += 1 }),
  }, at);
}

/** Whether an answer to a repeated command names the command that the first one named. */
function sameOrNot(ids: Map<string, string>, key: string, body: string): string {
  const id = /"command_id":"([^"]+)"/.exec(body)?.[1];
  if (id === undefined) return 'no command';
  const first = ids.get(key);
  if (first === undefined) ids.set(key, id);
  return first === undefined || first === id ? SAME : 'another command';
}

/** Who has every right that it uses, and uses it without measure. */
export const GREEDY: readonly Offender[] = [
  {
    name: 'flood-of-locations', isSmoke: true,
    does: 'posts a thousand locations a call, as fast as it can',
    heldBy: 'limits of a client; rejections are delayed (ADR 0028), calls at once limited (ADR 0032)',
    mustGet: { answer: '429', times: 50 },
    run: (env) => together(env, 64, (nth, at) => postAs(env, clientOf(env, 0), 1_000, nth + at)),
  },
  {
    name: 'many-clients-of-one-user', does: 'does the same with five clients at once',
    heldBy: 'limits of all clients of one user (ADR 0052)',
    // Five clients, of each a device: 20 calls a second, and 40 at once.
    mustGet: { answer: '429', times: 50, ofCalls: 1_500 },
    run: (env) => together(env, 64, (nth, at) => postAs(env, clientOf(env, at), 500, nth + at)),
  },
  {
    name: 'deaf-to-429', does: 'posts small bodies over 512 lines and never waits after a 429',
    heldBy: 'rejections are delayed (ADR 0028)',
    mustGet: { answer: '429', times: 50 },
    run: (env) => together(env, 512, (nth, at) => postAs(env, clientOf(env, 0), 1, nth + at)),
  },
  {
    name: 'hot-device', does: 'posts for one device over 64 lines',
    heldBy: 'limit of a device; a hot device gets an overflow topic (ADR 0018)',
    mustGet: { answer: '429', times: 50 },
    run: (env) => together(env, 64, (nth, at) => postAs(env, clientOf(env, 1), 10, nth + at)),
  },
  {
    name: 'registration-storm', does: 'registers, starts and stops devices without end',
    heldBy: 'limits of a client',
    run: (env) => together(env, 32, async (nth, at) => {
      const { token } = clientOf(env, at);
      const id = `guest-${process.pid}-${sequence += 1}`;
      await offend(env, { path: `/shipping/rtt/devices${RTT}`, token, body: JSON.stringify({
        external_entity: { entity_id: id, entity_type: 'truck' }, transport: { id: sequence },
      }) }, nth);
      const entity = `&external_entity_id=${id}&external_entity_type=truck`;
      for (const verb of ['start', 'stop']) {
        await offend(env, { path: `/shipping/rtt/devices/${verb}_tracking${RTT}${entity}`, token }, at);
      }
    }),
  },
  {
    name: 'reading-storm', does: 'reads its limits and positions over 128 lines',
    heldBy: 'reads count as calls of the client',
    // 200 calls a second, and 400 at once.
    mustGet: { answer: '429', times: 50, ofCalls: 2_500 },
    run: (env) => together(env, 128, (nth, at) => offend(env, {
      path: `/shipping/rtt/${nth % 2 === 0 ? 'limits' : 'fleet/last_positions'}${RTT}`,
      method: 'GET', token: clientOf(env, 0).token,
    }, nth + at)),
  },
  {
    name: 'token-hoarder', does: 'asks for tokens with its right secret without end',
    heldBy: 'a client that proved itself has a limit of token requests of its own',
    run: (env) => together(env, 16, (nth, at) => {
      const { clientId, secret } = clientOf(env, at);
      return offend(env, {
        path: '/oauth/token', headers: { authorization: basic(clientId, secret) },
        body: JSON.stringify({ audience: 'rtt', grant_type: 'client_credentials' }),
      }, nth + at);
    }),
  },
  {
    name: 'squatted-numbers',
    does: 'notifies about tracking numbers of another carrier before that one does',
    heldBy: 'numbers that begin as a carrier registered them are its own; limit of notifications',
    // A machine that is slow refuses few, since a refusal comes late (ADR 0028).
    mustGet: { answer: '429', times: 3 },
    run: (env) => together(env, SQUATTERS, (nth, at) => offend(env, {
      path: '/shipping/tracking/notifications', token: env.guest.carrier.token,
      body: JSON.stringify(Array.from({ length: SQUATTED }, (_, more) => ({
        tracking_number: `${env.honestNumbers}${(nth * SQUATTERS + at) * SQUATTED + more}`,
        code: 'EX-HUB', carrier_code: 'SQUAT', payload: { date: new Date().toISOString() },
      }))),
    }, nth + at)),
  },
  {
    name: 'repeated-commands', does: 'issues the same commands again and again',
    heldBy: 'a command has one identity, whatever is repeated (ADR 0047)',
    // Also a slow machine answers so many calls; how many a second are too many is no matter here.
    mustGet: { answer: SAME, times: 10 },
    run: (env) => {
      const ids = new Map<string, string>();
      return together(env, 16, (nth, at) => {
        const key = `guest-${nth % 5}`;
        return command(env, key, nth + at, (body) => sameOrNot(ids, key, body));
      });
    },
  },
  {
    name: 'flood-of-authorizations', hasOnly500: true,
    does: 'asks to authorize shipments as fast as it can',
    heldBy: 'authorizations count against the limits of a client',
    run: (env) => together(env, 32, async (nth, at) => {
      await offend(env, {
        path: `/shipments/${sequence += 1}/authorization`,
        token: env.guest.platform.authorizationToken, body: '{"id":1}',
      }, nth + at);
      await pause(env, 1);
    }),
  },
];
