import type { Redis } from 'ioredis';
import type { FixOffer, LastFixes } from '../../../services/kernel/fixes.ts';
import { factsOfDevice, type Owner } from '../fleet.ts';
import { agedShipment, applyLive, finishedShipment } from './aged-shipments.ts';
import type { YearStore } from './year-store.ts';

/** What filling takes. */
export interface FillPorts {
  readonly raw: Redis;
  readonly year: YearStore;
  readonly lastFixes: Pick<LastFixes, 'offer'>;
  readonly owner: Owner;
}

/** What the store takes at the end of one simulated month. */
export interface FilledMonth {
  readonly month: number;
  readonly storeBytes: number;
}

const AT_ONCE = 5_000;
const FINISHED_AT_ONCE = 100_000;
/** Months of a year; all of them have as many shipments. */
export const MONTHS = 12;
const TOPIC_ID = 'bench-devices';

/** Adds devices that are tracked and have a last position; answers what each takes. */
export async function fillDevices(
  { raw, year, lastFixes, owner }: FillPorts, first: number, end: number,
): Promise<number> {
  const before = await storeBytes(raw);
  for (const numbers of chunks(first, end, 1, AT_ONCE)) {
    await year.write(({ devices }) => devices.apply(numbers.flatMap((nth) => (
      factsOfDevice(owner, nth).map((event, at) => (
        { event, recordId: { topicId: TOPIC_ID, partition: 0, offset: BigInt(nth * 2 + at) } }
      ))
    ))));
    await lastFixes.offer(numbers.map((nth) => fixOf(owner, nth)));
  }
  return (await storeBytes(raw) - before) / (end - first);
}

/**
 * Adds the shipments of a year: those of the last month first, which are on the road in every month
 * of it, then month by month those that have ended.
 */
export async function fillShipments(
  { raw, year }: FillPorts, first: number, end: number,
): Promise<{
  readonly liveBytes: number; readonly finishedBytes: number;
  readonly months: readonly FilledMonth[];
}> {
  const monthly = (month: number): number => first + (MONTHS - 1 - month);
  const before = await storeBytes(raw);
  for (const numbers of chunks(monthly(0), end, MONTHS, AT_ONCE)) {
    await year.write((states) => applyLive(states, numbers.map(agedShipment)));
  }
  const withLive = await storeBytes(raw);
  const months: FilledMonth[] = [{ month: 1, storeBytes: withLive }];
  for (let month = MONTHS - 1; month > 0; month -= 1) {
    for (const numbers of chunks(monthly(month), end, MONTHS, FINISHED_AT_ONCE)) {
      await year.writeFinished(numbers.map((nth) => finishedShipment(agedShipment(nth))));
    }
    months.push({ month: MONTHS + 1 - month, storeBytes: await storeBytes(raw) });
  }
  const total = months.at(-1)?.storeBytes ?? withLive;
  const count = (end - first) / MONTHS;
  return {
    liveBytes: (withLive - before) / count,
    finishedBytes: (total - withLive) / (count * (MONTHS - 1)), months,
  };
}

function* chunks(
  first: number, end: number, step: number, size: number,
): Generator<readonly number[]> {
  for (let from = first; from < end; from += size * step) {
    const count = Math.min(size, Math.ceil((end - from) / step));
    yield Array.from({ length: count }, (_, at) => from + at * step);
  }
}

function fixOf({ clientId, country, provider }: Owner, nth: number): FixOffer {
  const [{ device_id }] = factsOfDevice({ clientId, country, provider } as Owner, nth);
  return {
    client_id: clientId, device_id, provider, country_id: country,
    timestamp: Math.floor(Date.now() / 1_000), received_at_ms: Date.now(),
    latitude: -33 + nth % 9_000 / 300, longitude: -70 + nth % 7_000 / 200,
    speed: nth % 90, bearing: nth % 360, ignition: true,
    recordId: { topicId: TOPIC_ID, partition: 0, offset: BigInt(nth) },
  };
}

/** Bytes that the state store has allocated. */
async function storeBytes(raw: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await raw.info('memory'))?.[1]);
}
