import {
  openClient, type ClientOptions, type LocationFix, type RefusedBatch, type TrackingClient,
} from '../../../services/clients/typescript/src/index.ts';
import { createVirtualClock, type KitClock } from './virtual-clock.ts';

/** A call that came in. */
export interface KitCall {
  readonly atMs: number;
  readonly path: string;
  readonly token: string;
  readonly text: string;
  readonly body: {
    readonly device_id?: string; readonly locations?: readonly { timestamp: number }[];
  };
}

type Answering = (call: KitCall, nth: number) => Response | Promise<Response>;

/** A gateway in memory, its clock, and a client of it. */
export interface Scene {
  readonly calls: KitCall[];
  readonly tokens: number[];
  readonly refused: RefusedBatch[];
  readonly clock: KitClock;
  /** Most calls that were in progress at once. */
  readonly inFlightMost: () => number;
  readonly open: (options?: Partial<ClientOptions>) => Promise<TrackingClient>;
}

export const accepted = (): Response => Response.json(
  { status: 202, message: 'Accepted' },
  { status: 202, headers: { 'ingest-id': '0198c0de-0000-7000-8000-000000000001' } },
);

/** A refusal with a problem, and headers. */
export function problem(
  status: number, code: string, headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { status, code, title: code, detail: `because of ${code}`, errors: [] };
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

export const tokenAnswer = (nth: number, seconds = 21_600): Response => Response.json({
  access_token: `token-${nth}`, token_type: 'Bearer', expires_in: seconds,
});

/** What the gateway answers to calls, and to the nth request of a token. */
export function scene(
  answering: Answering = accepted,
  answerToken: (nth: number) => Response = (nth) => tokenAnswer(nth),
): Scene {
  const clock = createVirtualClock();
  const calls: KitCall[] = [];
  const tokens: number[] = [];
  const refused: RefusedBatch[] = [];
  let inFlight = 0;
  let most = 0;
  const fake = async (input: unknown): Promise<Response> => {
    const request = input as Request;
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    if (pathname === '/oauth/token') {
      tokens.push(clock.nowMs());
      await new Promise(setImmediate);
      return answerToken(tokens.length);
    }
    const call = {
      atMs: clock.nowMs(), path: pathname + search, text,
      token: request.headers.get('authorization')?.slice('Bearer '.length) ?? '',
      body: (text === '' ? {} : JSON.parse(text)) as KitCall['body'],
    };
    calls.push(call);
    most = Math.max(most, ++inFlight);
    try {
      await new Promise(setImmediate);
      return await answering(call, calls.length);
    } finally {
      inFlight -= 1;
    }
  };
  return {
    calls, tokens, refused, clock, inFlightMost: () => most,
    open: (options = {}) => openClient({
      url: 'http://gateway.test', provider: 'acme', countryId: 'BR', clientId: '100000000000042',
      clientSecret: 'secret', onRefused: (batch) => { refused.push(batch); },
      ports: { ...clock, random: () => 0, fetch: fake }, ...options,
    }),
  };
}

/** A fix of so many seconds. */
export const fix = (timestamp: number): LocationFix => (
  { timestamp, country_id: 'BR', latitude: -23.5, longitude: -46.6 }
);

/** The timestamps that a device's calls held, in their order. */
export function timestampsOf(calls: readonly KitCall[], deviceId: string): readonly number[] {
  return calls.filter(({ body }) => body.device_id === deviceId)
    .flatMap(({ body }) => (body.locations ?? []).map(({ timestamp }) => timestamp));
}
