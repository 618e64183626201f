import { describe, expect, it } from 'vitest';
import { seedMap, type MapSeed, type SeedPorts } from '../../../services/gateways/live/seed-map.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { PartitionExtent } from '../../../services/kernel/log-follower.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { lastFix, limitsWith, logRecord } from '../../support/live-feeds.ts';

const away = () => Promise.reject(new Unavailable('state_unavailable', 'admit', 'away'));

const NOW_MS = 1_764_000_000_000;

/** A log of one partition a topic, where each record has the time that its fact has. */
function logOf(records: readonly LogRecord[]): Pick<SeedPorts, 'reader' | 'watch'> {
  const isIn = ({ topic, offset }: LogRecord, range: PartitionExtent | undefined): boolean => (
    topic === range?.topic && offset >= range.start && offset < range.end);
  return {
    reader: {
      readRanges: (ranges, onRecords) => onRecords(records.filter((record) => (
        ranges.some((range) => isIn(record, range as PartitionExtent))))),
    },
    watch: {
      firstSince: (offsets, sinceMs) => Promise.resolve(new Map(offsets.map(({ topic, end }) => [
        `${topic}:0`,
        records.find((record) => record.topic === topic && record.timestampMs >= sinceMs)?.offset
          ?? end,
      ]))),
    },
  };
}

const extentsOf = (records: readonly LogRecord[]): readonly PartitionExtent[] => (
  [...new Set(records.map(({ topic }) => topic))].map((topic) => ({
    topic, topicId: `id-${topic}`, partition: 0, start: 0n,
    end: BigInt(records.filter((record) => record.topic === topic).length),
  })));

const seedFrom = (
  ports: SeedPorts, log: readonly LogRecord[] = [], more = {}, left = new AbortController(),
): Promise<MapSeed | undefined> => seedMap(ports, limitsWith(more), extentsOf(log), left.signal);

/** A store with two clients, one in the last shard, that has two pages of the first. */
function store(
  answers: readonly (() => Promise<boolean>)[], log: readonly LogRecord[] = [],
): SeedPorts & { readonly pauses: number[] } {
  const pauses: number[] = [];
  const left = [...answers];
  return {
    pauses, signals: silentSignals,
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    clock: { nowMs: () => NOW_MS },
    ...logOf(log),
    access: { findClient: () => Promise.resolve(undefined) },
    directory: {
      clientsOf: (shard, after) => Promise.resolve(
        after === undefined && (shard === 0 || shard === 63) ? [`client-${shard}`] : [],
      ),
    },
    lastFixes: {
      isComplete: () => left.shift()?.() ?? Promise.resolve(true),
      find: (clientId, deviceId) => Promise.resolve(
        deviceId === 'never-seen' ? undefined : { ...lastFix(deviceId, 0, 5), client_id: clientId },
      ),
      findWithin: (clientId, _box, after) => Promise.resolve({
        fixes: [lastFix(`${clientId}-${after === undefined ? 1 : 2}`, 0, 1)],
        next: clientId === 'client-0' && after === undefined
          ? { score: 1, device_id: 'client-0-1' } : undefined,
      }),
    },
  };
}

const stop = (offset: number, deviceId: string, atMs: number): LogRecord => logRecord(
  'deviceLifecycle', offset, deviceId,
  { type: 'DeviceTrackingStopped', device_id: deviceId, client_id: '1', at_ms: atMs },
  { timestampMs: atMs },
);
const HOUR_MS = 3_600_000;

describe('the map that a live gateway begins with', () => {
  it('has the devices of all clients, page by page', async () => {
    const seed = await seedFrom(store([]));
    expect(seed?.fixes.map(({ device_id }) => device_id))
      .toEqual(['client-0-1', 'client-0-2', 'client-63-1']);
  });

  it('has the devices that were stopped within a day, the first in front, at their last fixes', async () => {
    const log = [
      stop(0, 'long-ago', NOW_MS - 25 * HOUR_MS), stop(1, 'second', NOW_MS - HOUR_MS),
      stop(2, 'first', NOW_MS - 23 * HOUR_MS), stop(3, 'never-seen', NOW_MS),
      logRecord('deviceLifecycle', 4, 'x', { type: 'DeviceTrackingStarted', device_id: 'x' }),
    ];
    const seed = await seedFrom(store([], log), log);
    expect(seed?.stops.map(({ deviceId }) => deviceId)).toEqual(['first', 'second', 'never-seen']);
    expect(seed?.stoppedFixes.map(({ device_id, client_id }) => [device_id, client_id]))
      .toEqual([['first', '1'], ['second', '1']]);
  });

  it('has of more stops than it reads the newest', async () => {
    const log = [0, 1, 2, 3].map((offset) => stop(offset, `d${offset}`, NOW_MS - HOUR_MS + offset));
    const seed = await seedFrom(store([], log), log, { stopsReadMax: 2 });
    expect(seed?.stops.map(({ deviceId }) => deviceId)).toEqual(['d2', 'd3']);
  });

  it('knows what goes to the overflow topic, by the newest decisions', async () => {
    const decide = (offset: number, device_id: string, state: string, version: number) => logRecord(
      'overflow', offset, device_id, { type: 'OverflowRecorded', device_id, state, version, at_ms: 1 },
    );
    const log = [
      decide(0, 'a', 'in', 1), decide(1, 'b', 'in', 1), decide(2, 'b', 'out', 2),
    ];
    const seed = await seedFrom(store([], log), log);
    expect([...seed?.overflow.devices ?? []].map(([id, { state }]) => [id, state]))
      .toEqual([['a', 'in'], ['b', 'out']]);
  });

  it('waits while the store is away or being rebuilt', async () => {
    const ports = store([away, () => Promise.resolve(false)]);
    expect((await seedFrom(ports))?.fixes).toHaveLength(3);
    expect(ports.pauses).toHaveLength(2);
  });

  it('is not waited for once the process ends', async () => {
    const left = new AbortController();
    left.abort();
    expect(await seedFrom(store([away]), [], {}, left)).toBeUndefined();
  });
});
