import { createHash } from 'node:crypto';
import { createReadJson } from '../../../services/adapters/http/json/read-json.ts';
import { decodeImage } from '../../../services/adapters/images/decode.ts';
import { decodeLongImage } from '../../../services/adapters/images/decode-long.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import type { OutboundReply, OutboundRequest } from '../../../services/kernel/outbound.ts';
import type { PartyRecorded } from '../../../services/kernel/parties.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { PULLER_LIMITS, type PullerConfig } from '../../../services/workers/parties/feeds/config.ts';
import { createPuller, type PullerPorts } from '../../../services/workers/parties/feeds/puller.ts';
import { carrierFeed } from '../../support/carrier-feed.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { memoryFeeds, memoryShipments } from '../../support/memory-states.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const CHECK = loadSchemas().checkOf('NotificationsBody');
const READ = createReadJson();

/** When the tests begin. */
export const START_MS = 1_764_000_000_000;
/** The carrier and the shipment of most tests. */
export const NAME = { carrier: 'p-carrier', tracking_number: 'RST1' };
export const LIMITS: PullerConfig = { ...PULLER_LIMITS, jitterRatio: 0 };

/** SHA-256 as hex. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A carrier with a feed. */
export function aCarrier(wishes: Partial<PartyRecorded> = {}): PartyRecorded {
  return {
    type: 'PartyRecorded', party_id: NAME.carrier, kind: 'carrier', name: 'Carrier', feed: true,
    base_url: 'https://carrier.example/api/', status: 'active', version: 1, at_ms: 1,
    authentication: { kind: 'static', sealed_token: 'v1.x' }, contracts_requiring_agency: [],
    ...wishes,
  };
}

/** Everything around a puller in memory; `worker` makes one more of them, as a restart does. */
export type PullerEnv = ReturnType<typeof createPullerEnv>;

/** Makes an environment with one carrier and nothing in it. */
export function createPullerEnv() {
  const env = {
    nowMs: START_MS,
    random: 0.5,
    log: fakeRecordLog(),
    feeds: memoryFeeds((): number => env.nowMs),
    shipments: memoryShipments(),
    carrier: carrierFeed(),
    parties: [aCarrier()],
    kept: [] as string[],
    discarded: [] as string[],
    counted: [] as string[],
    crashes: [] as unknown[],
    outbound: (request: OutboundRequest): Promise<OutboundReply> => ask(request),
    personal: fakePersonal(),
    worker: (limits: Partial<PullerConfig> = {}, change: Partial<PullerPorts> = {}) =>
      createPuller({ ...LIMITS, ...limits }, { ...ports(), ...change }),
    /** Looks each time the feed is due, until `pollsMax` are done; answers the seconds between. */
    async polls(pollsMax: number, name = NAME): Promise<number[]> {
      const waits: number[] = [];
      for (let poll = 0; poll < pollsMax; poll += 1) {
        const dueMs = env.feeds.feedsDue(name.carrier).get(name.tracking_number);
        if (dueMs === undefined) break;
        if (poll > 0) waits.push((dueMs - env.nowMs) / 1_000);
        env.nowMs = Math.max(env.nowMs, dueMs);
        await env.worker().poll();
      }
      return waits;
    },
    records: () => env.log.of('shipment.notifications.v1'),
  };

  async function ask(request: OutboundRequest): Promise<OutboundReply> {
    const url = new URL(request.url);
    const answer = env.carrier.answer({
      method: request.method, path: url.pathname, query: Object.fromEntries(url.searchParams),
      authorization: request.headers['authorization'],
    });
    if (answer.hangs === true) return { kind: 'lost', reason: 'timeout' };
    const { status, headers = {}, body } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    return { kind: 'answer', status, headers, body: Buffer.from(text), isCut: false };
  }

  function ports(): PullerPorts {
    const clock = { nowMs: () => env.nowMs };
    const signals = fakeSignals({
      metric: (name, _value, labels) => {
        env.counted.push([name, ...Object.values(labels)].join(' '));
      },
    });
    const { log, feeds, shipments } = env;
    return {
      log, feeds, shipments, clock, signals, digest,
      parties: {
        carriers: async () => env.parties.filter(({ status }) => status === 'active'),
      },
      tokens: {
        current: async () => ({ kind: 'token', token: `t${env.discarded.length}` }),
        discard: (_party, token) => { env.discarded.push(token); },
      },
      outbound: (request) => env.outbound(request),
      personal: env.personal,
      images: {
        read: decodeImage,
        readLong: decodeLongImage,
        keep: async (trackingNumber, { bytes, media_type }) => {
          env.kept.push(trackingNumber);
          return { sha256: digest(String(bytes)), bytes: bytes.length, media_type, object: 'x' };
        },
      },
      deadLetters: createDeadLetters(
        { worker: 'puller', codeVersion: '9', appendMsMax: 1_000 }, { log, clock, signals },
      ),
      readItem: READ,
      checkItem: CHECK,
      random: () => env.random,
      pause: async () => undefined,
      itemDefects: memoryItemDefects(),
      onCrash: (error) => { env.crashes.push(error); },
    };
  }

  return env;
}
