import type { TokenIssued } from '../../../services/kernel/access.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { CONSOLE_AUDIENCE, LINK_AUDIENCE } from '../../../services/kernel/sessions.ts';
import { tokenText } from '../../../services/kernel/shards.ts';
import type { Dice } from '../../faults/dice.ts';
import type { AllGateways } from './all-gateways.ts';
import type { Marker, Sight } from './markers.ts';
import {
  issue, join, openSession, OWNERS, PLATFORMS, textOf, type ProbeAccount,
} from './accounts.ts';

/** One kind of caller. */
export interface CallerKind {
  readonly name: string;
  /** Whose things it has as its own; none where what it sends opens nothing. */
  readonly account: ProbeAccount | undefined;
  /** What it may read of things of others. */
  readonly sights: readonly Sight[];
  /** The one operation at which it is its account; without it at all that it has rights for. */
  readonly opensOnly?: string;
  /** How it proves who it is to an operation. */
  headersFor(operation: Operation, dice: Dice): Promise<Readonly<Record<string, string>>>;
}

/** The clients of the deployment, and each kind of caller that there is. */
export interface Callers {
  readonly owners: readonly ProbeAccount[];
  readonly all: readonly CallerKind[];
}

const SIGHTS: Readonly<Record<keyof typeof PLATFORMS, readonly Sight[]>> = {
  operator: ['state', 'facts', 'dead-letters', 'calls'],
  reader: ['state', 'facts', 'calls'],
  writer: ['calls'],
  admin: ['facts', 'dead-letters'],
};
/** Browsers say these of a call of a page of ours, and of one of another site. */
const FROM_ELSEWHERE = { 'origin': 'https://evil.example', 'sec-fetch-site': 'cross-site' };

/** True where what the caller sends lets it read the thing that a marker is in. */
export function maySee(
  { account, sights, opensOnly }: CallerKind, marker: Marker, operation: Pick<Operation, 'id'>,
): boolean {
  if (opensOnly !== undefined && opensOnly !== operation.id) return false;
  return account?.name === marker.owner || marker.sights.some((each) => sights.includes(each));
}

/** Lets everyone in. */
export async function openCallers(at: AllGateways, dice: Dice): Promise<Callers> {
  const owners = await Promise.all(Object.entries(OWNERS).map(([name, rights]) => (
    join(at, dice.fork(name), name, rights))));
  const platforms = await Promise.all(Object.entries(PLATFORMS).map(([name, scopes]) => (
    join(at, dice.fork(name), name, { audiences: ['platform', 'revoke'], scopes: [...scopes] }))));
  const named = (name: string): ProbeAccount => [...owners, ...platforms]
    .find((account) => account.name === name) ?? raise(name);
  const best = named('best');
  const gone = await join(at, dice.fork('gone'), 'gone', OWNERS.best);
  await at.states.access.applyClient({ ...gone.client, status: 'disabled', version: 2 });

  return {
    owners,
    all: [
      ...owners.map((account) => bearer(at, account, [])),
      ...platforms.map((account) => (
        bearer(at, account, SIGHTS[account.name as keyof typeof PLATFORMS]))),
      sendsNothing,
      {
        ...sendsNothing, name: 'revoked',
        headersFor: async ({ audience }, own) => (
          sent(await issue(at, own, best.client, audienceOf(audience), 'revoked'))),
      },
      { ...bearer(at, gone, []), name: 'disabled', account: undefined },
      {
        ...sendsNothing, name: 'unknown',
        headersFor: async (_operation, own) => (
          sent(tokenText(best.client.client_id, textOf(own, 43)))),
      },
      link(at, named('acme')),
      session(at, named('operator'), SIGHTS.operator),
      ...['acme', 'swift', 'buyer', 'sandbox'].map((name) => session(at, named(name), [])),
      ...['operator', 'acme'].map((name) => ({
        ...session(at, named(name), [], FROM_ELSEWHERE), name: `${name}, by another site`,
        account: undefined,
      })),
    ],
  };
}

const sendsNothing: CallerKind = {
  name: 'nothing', account: undefined, sights: [], headersFor: async () => ({}),
};

/** A program with tokens: mostly with the one that the operation asks for. */
function bearer(at: AllGateways, account: ProbeAccount, sights: readonly Sight[]): CallerKind {
  const { client } = account;
  const tokens = new Map<string, string>();
  return {
    name: account.name, account, sights,
    async headersFor({ audience, platformScope }, dice) {
      const { audiences } = client;
      const fitting = audiences.find((each) => each === audience)
        ?? audiences.find((each) => each === 'platform' && platformScope !== undefined);
      const chosen = dice.chance(0.1) ? undefined : fitting;
      const asked = chosen ?? dice.pick(audiences);
      const token = tokens.get(asked) ?? await issue(at, dice, client, asked);
      tokens.set(asked, token);
      return { ...sent(token), ...dice.chance(0.2) ? { 'x-client-id': client.client_id } : {} };
    },
  };
}

/** A one-time link of the console that was not used yet: it opens a session, and no operation. */
function link(at: AllGateways, account: ProbeAccount): CallerKind {
  return {
    name: `link of ${account.name}`, account, sights: [], opensOnly: 'open-session',
    headersFor: async (_operation, dice) => (
      sent(await issue(at, dice, account.client, LINK_AUDIENCE))),
  };
}

/** A browser with a session; it gets another one where its operation ended it. */
function session(
  at: AllGateways, account: ProbeAccount, sights: readonly Sight[],
  says: Readonly<Record<string, string>> = {
    'origin': at.edge.url, 'sec-fetch-site': 'same-origin',
  },
): CallerKind {
  let cookie: string | undefined;
  return {
    name: `session of ${account.name}`, account, sights,
    async headersFor({ id }, dice) {
      const now = cookie ?? await openSession(at, dice, account.client);
      cookie = id === 'end-session' ? undefined : now;
      return { cookie: now, ...says };
    },
  };
}

function sent(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

function audienceOf(audience: string | undefined): TokenIssued['audience'] {
  return (audience ?? CONSOLE_AUDIENCE) as TokenIssued['audience'];
}

function raise(name: string): never {
  throw new Error(`No account ${name}.`);
}
