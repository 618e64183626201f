import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { startStack } from '../../../infra/local/stack.ts';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { cpuUs } from '../../bench/measure/cpu.ts';
import { ask, type Asker } from '../ask.ts';
import type { ScaleFleet } from '../fleet-sql.ts';
import { differingIn, type FleetMoment } from './compare.ts';
import { DEVICE, fillFleet } from './fill-fleet.ts';
import { sendLateFixes } from './late-fixes.ts';

/** What is measured, and where its tables are while it is. */
export interface PicturesOptions {
  readonly devices: number;
  readonly days: number;
  readonly dir: string;
  readonly cacheDir: string;
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** What pictures of random minutes cost, and how many places differed. */
export interface PicturesResult {
  readonly devices: number;
  readonly days: number;
  readonly fixes: number;
  readonly frames: number;
  /** Bytes of a frame on the disk. */
  readonly bytesPerFrame: number;
  readonly cpuMs: readonly number[];
  readonly wallMs: readonly number[];
  readonly megaRows: readonly number[];
  readonly megaBytesMax: number;
  readonly compared: number;
  readonly differing: number;
  readonly differingAfterLate: number;
}

const DATABASE = 'tracking';
const DAY_S = 86_400;
const MOMENTS = 100;
const DEVICES_OF_MOMENT = 10;
const SEED = 20_261_126;
const PICTURE = 'SELECT * FROM v_fleet_at(at = {at:DateTime(\'UTC\')})';

/** Fills a fleet, asks for pictures of random minutes and compares places in them with SQL. */
export async function runPictures(options: PicturesOptions): Promise<PicturesResult> {
  const { dir, cacheDir, devices, days, leaving, print } = options;
  rmSync(dir, { recursive: true, force: true });
  const stack = await startStack({
    dataDir: dir, cacheDir, ports: 'free', parts: ['clickhouse'], env: {}, log: () => undefined,
  });
  const { CLICKHOUSE_URL: url, CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password } = stack.env;
  const asAdmin = { url, user, password, database: DATABASE };
  const store = openClickHouse(
    { ...CLICKHOUSE_LIMITS, requestMsMax: 3_600_000, ...asAdmin }, { signals: silentSignals },
  );
  try {
    await migrateDatabase(asAdmin);
    const fleet = { devices, days, firstDay: Math.floor(Date.now() / 1_000 / DAY_S) - days };
    await fillFleet({ store, leaving, print }, fleet);
    const moments = await momentsOf(store, fleet);
    const reader: Asker = {
      url, user: stack.env.CLICKHOUSE_PICTURES_USER,
      password: stack.env.CLICKHOUSE_PICTURES_PASSWORD, database: DATABASE,
    };
    const pid = stack.parts.clickhouse?.pid() ?? 0;
    const measured = await measure(reader, pid, moments);
    print(`${moments.length} pictures are measured`);
    return { ...fleet, ...await sizeOf(store), ...measured, ...await compared(store, moments) };
  } finally {
    await store.close();
    await stack.stop();
  }
}

/** Random minutes from the second day on, each with random devices. */
export async function momentsOf(
  store: Pick<ClickHouse, 'query'>, { devices, days, firstDay }: ScaleFleet,
): Promise<readonly FleetMoment[]> {
  const ids = (await store.query(
    `SELECT ${DEVICE} AS id FROM (SELECT number AS d FROM numbers({devices:UInt64}))`, { devices },
  )).map(({ id }) => String(id));
  const first = (firstDay + Math.min(1, days - 1)) * DAY_S;
  return fc.sample(fc.record({
    at: fc.integer({ min: first, max: (firstDay + days) * DAY_S - 1 }),
    devices: fc.uniqueArray(fc.constantFrom(...ids), {
      minLength: Math.min(DEVICES_OF_MOMENT, devices), maxLength: DEVICES_OF_MOMENT,
    }),
  }), { numRuns: MOMENTS, seed: SEED });
}

/** Compares before and after late fixes came for each of the places. */
export async function compared(
  store: ClickHouse, moments: readonly FleetMoment[],
): Promise<Pick<PicturesResult, 'compared' | 'differing' | 'differingAfterLate'>> {
  const differing = await differingIn(store, moments);
  await sendLateFixes(store, moments, Date.now());
  return {
    compared: moments.reduce((sum, { devices }) => sum + devices.length, 0),
    differing, differingAfterLate: await differingIn(store, moments),
  };
}

/** One picture that does not count, then one of each moment, as the gateways ask. */
async function measure(
  reader: Asker, pid: number, moments: readonly FleetMoment[],
): Promise<Pick<PicturesResult, 'cpuMs' | 'wallMs' | 'megaRows' | 'megaBytesMax'>> {
  const [cpuMs, wallMs, megaRows, memory]: number[][] = [[], [], [], []];
  for (const { at } of [...moments.slice(0, 1), ...moments]) {
    const before = cpuUs([pid]);
    const answered = await ask(reader, PICTURE, { at: String(at) });
    if (!answered.ok) throw new Error(answered.reason);
    cpuMs?.push((cpuUs([pid]) - before) / 1e3);
    wallMs?.push(answered.cost.seconds * 1e3);
    megaRows?.push(answered.cost.megaRows);
    memory?.push(answered.cost.memoryMegaBytes);
  }
  const counted = (values: number[] = []): readonly number[] => values.slice(1);
  return {
    cpuMs: counted(cpuMs), wallMs: counted(wallMs), megaRows: counted(megaRows),
    megaBytesMax: Math.max(...counted(memory)),
  };
}

async function sizeOf(
  store: ClickHouse,
): Promise<Pick<PicturesResult, 'fixes' | 'frames' | 'bytesPerFrame'>> {
  const [row] = await store.query(`
    SELECT (SELECT count() FROM locations) AS fixes,
           (SELECT count() FROM device_minutes WHERE frame_minutes > 0) AS frames,
           (SELECT sum(column_data_compressed_bytes) FROM system.parts_columns
            WHERE active AND database = currentDatabase() AND table = 'device_minutes'
              AND column IN ('device_id', 'frame_at', 'last_fix')) AS bytes,
           (SELECT count() FROM device_minutes) AS rows`);
  const [fixes, frames, bytes] = ['fixes', 'frames', 'bytes'].map((name) => Number(row?.[name]));
  return { fixes: fixes ?? 0, frames: frames ?? 0, bytesPerFrame: (bytes ?? 0) / (frames ?? 1) };
}
