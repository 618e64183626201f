import type { Clock, Pause } from '../kernel/clock.ts';
import type { Schemas } from '../kernel/schemas.ts';
import { status, textAt } from './findings.ts';
import type { Ask, KitReply, Talk } from './talk.ts';

/** Who is examined and as whom we come; what is missing makes the checks that need it skip. */
export interface Setup {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
  readonly country: string;
  /** Token that a provider's commands carry; without it one of audience `rtt` is taken. */
  readonly commandToken?: string | undefined;
  /** A code that ends a shipment at this receiver. */
  readonly finalCode?: string | undefined;
  /** A shipment whose feed has at least three notifications, where none can be pushed. */
  readonly trackingNumber?: string | undefined;
}

/** What a session needs; `run` makes its names unlike those of every other run. */
export interface SessionPorts {
  readonly talk: Talk;
  readonly schemas: Schemas;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly run: string;
  /** Takes a token of an audience in another way than from the target itself. */
  readonly takeToken?: (audience: string) => Promise<string>;
  /** How long the talk waited so far because of limits. */
  readonly waitedMs?: () => number;
}

/** One examination: sends with the right token, and makes names that are new. */
export interface Session {
  readonly setup: Setup;
  readonly send: (ask: Ask) => Promise<KitReply>;
  /** The token of an audience, taken once; throws a sentence when it is refused. */
  readonly token: (audience: string) => Promise<string>;
  /** Another token of that audience. */
  readonly freshToken: (audience: string) => Promise<string>;
  /** Finds fault when a body does not follow the schema of this title. */
  readonly shape: (reply: KitReply, title: string) => string | undefined;
  readonly unique: (prefix: string) => string;
  readonly uniqueNumber: () => number;
  readonly nowMs: () => number;
  /** {@link Session.nowMs} without the time that the kit waited because of limits. */
  readonly busyMs: () => number;
  readonly nowSeconds: () => number;
  /** Asks again until the answer has this status or the patience ends; gives the last answer. */
  readonly sendUntil: (ask: Ask, wanted: (reply: KitReply) => boolean) => Promise<KitReply>;
}

const POLL_MS = 50;
const POLLS_MAX = 200;

/** Opens a session; nothing is sent before the first check asks. */
export function createSession(setup: Setup, ports: SessionPorts): Session {
  const { talk, schemas, clock } = ports;
  const held = new Map<string, Promise<string>>();
  const firstNumber = clock.nowMs() * 1_000;
  let names = 0;

  async function freshToken(audience: string): Promise<string> {
    if (ports.takeToken !== undefined) return ports.takeToken(audience);
    const reply = await talk(tokenAsk(setup, audience));
    const wrong = status(reply, 200);
    if (wrong !== undefined) throw new Error(`no token for ${audience}: ${wrong}`);
    return textAt(reply, '/access_token');
  }

  function token(audience: string): Promise<string> {
    const known = held.get(audience);
    if (known !== undefined) return known;
    const taken = freshToken(audience);
    held.set(audience, taken);
    return taken;
  }

  async function send(ask: Ask): Promise<KitReply> {
    if (ask.token !== undefined || ask.audience === undefined) return talk(ask);
    return talk({ ...ask, token: await token(ask.audience) });
  }

  async function sendUntil(ask: Ask, wanted: (reply: KitReply) => boolean): Promise<KitReply> {
    let reply = await send(ask);
    for (let polls = 1; polls < POLLS_MAX && !wanted(reply); polls += 1) {
      await ports.pause(POLL_MS);
      reply = await send(ask);
    }
    return reply;
  }

  return {
    setup, send, token, freshToken, sendUntil,
    shape: (reply, title) => {
      const explain = schemas.checkOf(title)(reply.json);
      return explain === undefined
        ? undefined
        : `${reply.what} answered ${reply.status} with no ${title}: ${explain().detail}`;
    },
    unique: (prefix) => `${prefix}-${ports.run}-${names += 1}`,
    uniqueNumber: () => firstNumber + (names += 1),
    nowMs: () => clock.nowMs(),
    busyMs: () => clock.nowMs() - (ports.waitedMs?.() ?? 0),
    nowSeconds: () => Math.floor(clock.nowMs() / 1_000),
  };
}

/** Endpoint 2 as the contract has it: credentials in the Basic header, never in the body. */
export function tokenAsk(setup: Setup, audience: string): Ask {
  const basic = Buffer.from(`${setup.clientId}:${setup.clientSecret}`).toString('base64');
  return {
    path: '/oauth/token',
    atTokens: true,
    headers: { authorization: `Basic ${basic}` },
    json: { audience, grant_type: 'client_credentials' },
  };
}
