import type { Operation } from '../../../services/kernel/http.ts';
import type { Probe } from '../../support/isolation/calls.ts';
import { createDice } from '../../faults/dice.ts';
import { openAllGateways, type AllGateways, type Mutate } from './all-gateways.ts';
import { drawProbe } from './draw.ts';
import { createMarkers } from './markers.ts';
import { join, openSession, OWNERS, PLATFORMS } from './accounts.ts';
import { plant, plantCall } from './plant.ts';
import { requestOf } from './send.ts';

/** What a browser says with a call that changes something, and whether it is one of our pages. */
type Says = Readonly<Record<string, string>>;

/** What calls with the cookie of a session did at every route that is not only read. */
export interface Forged {
  /** Every such operation that is served, by its id. */
  readonly operations: readonly string[];
  /** Those at which the cookie counted for a page of ours. */
  readonly ofOurs: readonly string[];
  /** Those at which it counted for a call without the proof that it comes from such a page. */
  readonly ofOthers: readonly string[];
  /** Records that came into the log by calls without that proof. */
  readonly appended: number;
}

const SEED = 1;

/** A client that has every right there is: what a route may be reached by, its cookie has. */
const EVERYONE = {
  audiences: [...OWNERS.whole.audiences, 'platform' as const],
  scopes: [...OWNERS.whole.scopes, ...PLATFORMS.operator], isProvider: true,
};

/** Calls every route that changes something, as a page of ours does and as other sites may. */
export async function forge(mutate?: Mutate): Promise<Forged> {
  const at = await openAllGateways(mutate);
  try {
    const dice = createDice(SEED);
    const account = await join(at, dice, 'person', EVERYONE);
    const planting = { at, dice, markers: createMarkers() };
    const things = {
      ...await plant(planting, account), call: await plantCall(planting, account),
    };
    const reach = { owners: [account], things: new Map([[account.name, [things]]]) };
    // Its own secret is not known to who forges a call.
    const person = {
      name: account.name, account: undefined, sights: [], headersFor: async () => ({}),
    };
    const operations = at.operations.filter(({ method }) => method !== 'GET');
    const probeOf = (operation: Operation): Probe => drawProbe(reach, dice, operation, person);
    const cookie = await openSession(at, dice, account.client);

    const before = at.log.appended.length;
    const ofOthers = await countsAt(at, operations, probeOf, cookie, foreignTo(at.edge.url));
    const appended = at.log.appended.length - before;
    // The last of them ends the session, so each has its own.
    const ofOurs: string[] = [];
    for (const operation of operations) {
      const own = await openSession(at, dice, account.client);
      ofOurs.push(...await countsAt(at, [operation], probeOf, own, [ownTo(at.edge.url)]));
    }
    return { operations: operations.map(({ id }) => id), ofOurs, ofOthers, appended };
  } finally {
    await at.edge.close();
  }
}

function ownTo(url: string): Says {
  return { 'origin': url, 'sec-fetch-site': 'same-origin' };
}

/** What other sites, other ports of this machine and old browsers say: all without the proof. */
function foreignTo(url: string): readonly Says[] {
  const port = Number(new URL(url).port);
  return [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${url}.evil.example` },
    { origin: url.replace(`:${port}`, `:${port - 1}`) },
    { 'origin': url, 'sec-fetch-site': 'cross-site' },
    { 'origin': url, 'sec-fetch-site': 'same-site' },
  ];
}

/** The operations that answer a call otherwise because it has the cookie. */
async function countsAt(
  at: AllGateways, operations: readonly Operation[], probeOf: (operation: Operation) => Probe,
  cookie: string, ways: readonly Says[],
): Promise<readonly string[]> {
  const counts = new Set<string>();
  for (const operation of operations) {
    for (const says of ways) {
      const probe = probeOf(operation);
      const [without, withIt] = [
        await answerTo(at, probe, says), await answerTo(at, probe, { ...says, cookie }),
      ];
      if (without !== withIt) counts.add(operation.id);
    }
  }
  return [...counts];
}

/** Status and text, without what differs between any two calls. */
async function answerTo({ edge }: AllGateways, probe: Probe, says: Says): Promise<string> {
  const answer = await fetch(edge.url + probe.path, requestOf(probe, says));
  const text = (await answer.text()).replaceAll(/"(request_id|instance)":"[^"]+"/g, '');
  return `${answer.status} ${answer.headers.get('set-cookie') ?? ''} ${text}`;
}
