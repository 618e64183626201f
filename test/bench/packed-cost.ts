/**
 * Bytes of Redis for one finished shipment, and for the same as JSON in an entry of its own, among
 * as many as are named: `node test/bench/packed-cost.ts 10000000 4` fills 4 of 64 shards as full as
 * ten million shipments make them.
 */
import { nameOfEntry } from '../../services/adapters/redis/keys.ts';
import { SHARDS } from '../../services/kernel/limits.ts';
import { shardOf } from '../../services/kernel/shards.ts';
import { shipmentKey } from '../../services/state/find-shipments.ts';
import { shipmentFields } from '../../services/state/shipment-fields.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { agedShipment, finishedShipment } from './rows/aged-shipments.ts';
import { openYearStore } from './rows/year-store.ts';

const AT_ONCE = 50_000;
const ALONE = 20_000;
const [shipments = '10000000', shards = '4'] = process.argv.slice(2);

const redis = await startOwnRedis(
  '--hash-max-listpack-value', '1024', '--hash-max-listpack-entries', '512',
);
const usedBytes = async (): Promise<number> => (
  Number(/used_memory:(\d+)/.exec(await redis.raw.info('memory'))?.[1])
);
try {
  const year = openYearStore(redis.raw);
  const before = await usedBytes();
  let filled = 0;
  let some: ReturnType<typeof finishedShipment>[] = [];
  for (let nth = 0; nth < Number(shipments); nth += 1) {
    const each = agedShipment(nth);
    if (each.isLive) continue;
    const finished = finishedShipment(each);
    if (shardOf(finished[0]) >= Number(shards)) continue;
    some.push(finished);
    filled += 1;
    if (some.length < AT_ONCE) continue;
    await year.writeFinished(some);
    some = [];
  }
  await year.writeFinished(some);
  const packed = await usedBytes();
  const pipeline = redis.raw.pipeline();
  for (let nth = 0; nth < ALONE; nth += 1) {
    const [number, shipment] = finishedShipment({ nth, isLive: false, month: 1 });
    const { fields } = shipmentFields(shipment, Date.now());
    const given = Object.entries(fields).flatMap(([name, value]) => (
      value === undefined ? [] : [name, value]
    ));
    const name = nameOfEntry(shipmentKey(number));
    pipeline.hset(name, ...given, 'v', String(Date.now() * 1_000));
    pipeline.pexpireat(name, Date.now() + 86_400_000 * 400);
  }
  await pipeline.exec();
  const alone = await usedBytes();
  process.stdout.write(`${filled} finished shipments in ${shards} of ${SHARDS} shards: `
    + `${((packed - before) / filled).toFixed(1)} bytes each packed, `
    + `${((alone - packed) / ALONE).toFixed(1)} as an entry of its own\n`);
} finally {
  await redis.close();
}
