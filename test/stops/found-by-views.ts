import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../infra/clickhouse/migrate-database.ts';
import { startStack } from '../../infra/local/stack.ts';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../services/adapters/clickhouse/clickhouse.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { refreshDays, sendable } from '../integration/analysts/tracks.ts';
import { post, writePosts } from '../integration/clickhouse/history.ts';
import type { NaiveFix } from '../support/naive-fix.ts';
import type { Found, TimeSpan } from './score.ts';

/** What the views show of one drive. */
export interface ShownDrive extends Found {
  readonly drivingS: number;
}

interface Piece extends TimeSpan {
  readonly device: string;
  readonly continues: boolean;
}

const DATABASE = 'tracking';
const DAY_S = 86_400;
const POST_FIXES = 100;
const POSTS_AT_ONCE = 500;

/**
 * Writes each drive as a device of its own, as the table writer does, into a ClickHouse of its own,
 * has the days computed and asks the views as the analyst. Drives are moved by whole days to three
 * days ago, because tables take no older ones.
 */
export async function foundByViews(
  cacheDir: string, drives: readonly (readonly NaiveFix[])[],
): Promise<readonly ShownDrive[]> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-stops-'));
  const stack = await startStack({
    dataDir: dir, cacheDir, ports: 'free', parts: ['clickhouse'], env: {}, log: () => undefined,
  });
  const open = (user: string, password: string): ClickHouse => openClickHouse({
    ...CLICKHOUSE_LIMITS, requestMsMax: 600_000, url: stack.env.CLICKHOUSE_URL, user, password,
    database: DATABASE,
  }, { signals: silentSignals });
  const admin = open(stack.env.CLICKHOUSE_USER, stack.env.CLICKHOUSE_PASSWORD);
  const ingest = open(stack.env.CLICKHOUSE_INGEST_USER, stack.env.CLICKHOUSE_INGEST_PASSWORD);
  const analyst = open(stack.env.ANALYST_USER, stack.env.ANALYST_PASSWORD);
  try {
    await migrateDatabase({
      url: stack.env.CLICKHOUSE_URL, user: stack.env.CLICKHOUSE_USER,
      password: stack.env.CLICKHOUSE_PASSWORD, database: DATABASE,
    });
    const shifts = drives.map(shiftOf);
    await write(ingest, drives.map((fixes, index) => (
      fixes.map((fix) => ({ ...fix, ts: fix.ts + (shifts[index] ?? 0) }))
    )));
    await refreshDays(admin);
    return await shown(analyst, shifts);
  } finally {
    await Promise.all([admin, ingest, analyst].map((store) => store.close()));
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function shiftOf(fixes: readonly NaiveFix[]): number {
  const today = Math.floor(Date.now() / 1_000 / DAY_S);
  const firstDay = Math.floor(Math.min(...fixes.slice(0, 1).map(({ ts }) => ts)) / DAY_S);
  return (today - 3 - firstDay) * DAY_S;
}

async function write(
  ingest: ClickHouse, drives: readonly (readonly NaiveFix[])[],
): Promise<void> {
  const posts = drives.flatMap((fixes, index) => (
    Array.from({ length: Math.ceil(fixes.length / POST_FIXES) }, (_, n) => post(
      fixes.slice(n * POST_FIXES, (n + 1) * POST_FIXES).map(sendable), { device: String(index) },
    ))
  ));
  for (let from = 0; from < posts.length; from += POSTS_AT_ONCE) {
    const [refused] = await writePosts(ingest, posts.slice(from, from + POSTS_AT_ONCE));
    if (refused !== undefined) throw new Error(`a post was refused: ${refused.detail}`);
  }
}

async function shown(
  analyst: ClickHouse, shifts: readonly number[],
): Promise<readonly ShownDrive[]> {
  const [days, stops, trips] = [
    await analyst.query(`SELECT device_id, sum(distance_m) AS meters, sum(driving_s) AS driving_s
      FROM v_device_days GROUP BY device_id`),
    await piecesOf(analyst, 'v_stops'), await piecesOf(analyst, 'v_trips'),
  ];
  const totals = new Map(days.map((row) => [String(row['device_id']), row]));
  return shifts.map((shift, index) => {
    const device = String(index);
    const row = totals.get(device);
    if (row === undefined) throw new Error(`the views show nothing of drive ${device}`);
    return {
      stops: joined(stops.get(device) ?? [], shift), trips: joined(trips.get(device) ?? [], shift),
      meters: Number(row['meters']), drivingS: Number(row['driving_s']),
    };
  });
}

async function piecesOf(
  analyst: ClickHouse, view: string,
): Promise<ReadonlyMap<string, readonly Piece[]>> {
  const rows = await analyst.query(`SELECT device_id, toUnixTimestamp(start_ts) AS from,
    toUnixTimestamp(end_ts) AS to, continues FROM ${view} ORDER BY device_id, start_ts, end_ts`);
  return Map.groupBy(rows.map((row): Piece => ({
    device: String(row['device_id']), from: Number(row['from']), to: Number(row['to']),
    continues: row['continues'] === true,
  })), ({ device }) => device);
}

/** Pieces that midnight cut are one again, and back in the time of their drive. */
function joined(pieces: readonly Piece[], shift: number): readonly TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const piece of pieces) {
    const before = piece.continues ? spans.pop() : undefined;
    spans.push({ from: before?.from ?? piece.from - shift, to: piece.to - shift });
  }
  return spans;
}
