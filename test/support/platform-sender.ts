import { createSend } from '../../services/provider/http/send.ts';
import { createComparison, type Balance } from '../../services/provider/ledger/compare.ts';
import {
  identityOfSent, identityOfStored, type StoredLocation,
} from '../../services/provider/ledger/identity.ts';
import type { LedgerItem } from '../../services/provider/ledger/lines.ts';
import type { TestEnv } from './platform.ts';
import { aFix, locationsBody, locationsPath, nowSeconds, type Actor } from './platform-actor.ts';

const ROW_COLUMNS = `device_id, toUnixTimestamp(ts) AS timestamp,
  toInt32(round(latitude * 1e7)) AS lat_e7, toInt32(round(longitude * 1e7)) AS lon_e7,
  country_id, altitude, accuracy, bearing, bearing_accuracy, speed, ignition, odometer, metadata`;
const FIXES_PER_POST = 5;
const REPEAT_MS_MAX = 300;
const DAY_SECONDS = 86_400;

/** Devices that send without a pause, as a provider that never gives up, with a book of it. */
export interface Sender {
  /** Posts that were answered 202 so far; throws what ended the sending before its time. */
  accepted(): number;
  /** Answers other than 202, by status; `lost` where none came. */
  readonly others: ReadonlyMap<string, number>;
  /** Ends after each device's present post is accepted. */
  stop(): Promise<void>;
  /** Compares what was accepted with what an analyst finds. */
  balance(): Promise<Balance>;
}

/**
 * Sends for `devices` new devices at once, each post until it is accepted: the same bytes again, on
 * the other gateway, after a lost answer or a 500. A post never waits longer than 0.3 s to repeat.
 */
export async function startSender(
  platform: TestEnv, actor: Actor, devices: number,
): Promise<Sender> {
  const ids = await Promise.all(Array.from({ length: devices }, () => actor.startedDevice()));
  const comparison = createComparison();
  const others = new Map<string, number>();
  const sends = platform.urls.map((baseUrl) =>
    createSend({ baseUrl, socketsMax: devices, timeoutMs: 15_000, answerBytesMax: 65_536 }));
  let stopping = false;
  let accepted = 0;
  let failure: Error | undefined;

  async function deliver(body: Buffer, first: number): Promise<void> {
    for (let attempt = first; ; attempt += 1) {
      const reply = await sends[attempt % sends.length]?.send({
        method: 'POST', path: locationsPath(), body,
        headers: { authorization: `Bearer ${actor.token}`, 'content-type': 'application/json' },
      });
      if (reply?.kind === 'answer' && reply.status === 202) return;
      const name = reply?.kind === 'answer' ? String(reply.status) : 'lost';
      others.set(name, (others.get(name) ?? 0) + 1);
      if (reply?.kind === 'answer' && reply.status < 429) {
        throw new Error(`The platform answered ${reply.status}: ${reply.body}`);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, REPEAT_MS_MAX * (0.5 + Math.random() / 2));
      });
    }
  }

  async function drive(deviceId: string, nth: number): Promise<void> {
    for (let round = 0; !stopping; round += 1) {
      const begin = nowSeconds() - DAY_SECONDS / 2 + round * FIXES_PER_POST;
      const fixes = Array.from({ length: FIXES_PER_POST }, (_, i) => aFix({
        timestamp: begin + i, altitude: round, latitude: nth / 10, longitude: i / 10,
      }));
      const post = `${nth}-${round}`;
      const items = fixes.map((fix): LedgerItem => [
        fix.timestamp, fix.latitude, fix.longitude, identityOfSent(deviceId, fix),
      ]);
      comparison.addLine({ line: 'post', post, device_id: deviceId, at_ms: Date.now(), items });
      await deliver(Buffer.from(JSON.stringify(locationsBody(deviceId, fixes))), nth);
      comparison.addLine({ line: 'end', post, at_ms: Date.now(), outcome: 'accepted', tries: 1 });
      accepted += 1;
    }
  }

  const driving = Promise.all(ids.map(drive));
  driving.catch((error: unknown) => { failure = error as Error; });
  return {
    accepted() {
      if (failure !== undefined) throw failure;
      return accepted;
    },
    others,
    async stop() {
      stopping = true;
      await driving.finally(() => sends.forEach(({ close }) => close()));
    },
    async balance() {
      const rows = await platform.query<StoredLocation>(
        `SELECT ${ROW_COLUMNS} FROM v_locations WHERE device_id IN {ids:Array(String)}`, { ids });
      for (const row of rows) comparison.addRow(identityOfStored(row));
      return comparison.balance();
    },
  };
}

/** What a balance is when every accepted fact is stored once and nothing else is. */
export const EXACTLY_ONCE = {
  lost: 0, doubled: 0, phantom: 0, dead: 0, refused: 0, unknown: 0, stored_unconfirmed: 0,
} as const;

/** Waits until the table-writer has committed everything that the log holds. */
export async function caughtUp(platform: TestEnv): Promise<boolean> {
  const topics = ['rtt.locations.v1'];
  const committed = await platform.log.admin.committed('rastro.table-writer', topics);
  const ranges = await platform.log.admin.ranges(topics);
  return ranges.every(({ topic, partition, start, end }) =>
    (committed.get(`${topic}:${partition}`) ?? start) >= end);
}
