import { describe, expect, it } from 'vitest';
import type { Order } from '../../bench/load/order.ts';
import { makePost } from '../../bench/load/post.ts';
import { median, quantile } from '../../bench/measure/statistics.ts';
import type { BenchReport } from '../../bench/measured.ts';
import { pageOf } from '../../bench/report.ts';
import { firstSeconds } from '../../bench/seconds.ts';
import type { EdgeRow } from '../../bench/rows/edge.ts';
import { bodiesOf } from '../../bench/scan-cost/bodies.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';

const order: Order = {
  host: '127.0.0.1', port: 1, path: '/locations', senders: [], locations: 3,
  firstSecond: 1_764_000_000, lines: 1, postsPerSecond: 0,
};
const bodies = bodiesOf(order.locations);
const sender = { deviceId: '6f1c2d3e-4b5a-5c6d-8e7f-000000000001', token: 't' };

interface Body {
  readonly device_id: string;
  readonly locations: readonly { timestamp: number; telemetry: { timestamp: number } }[];
}

describe('a post of the bench', () => {
  const bodyOf = (bytes: Buffer): Body => {
    const text = bytes.toString();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    return JSON.parse(body) as Body;
  };

  it('is a body that our schema takes, about the device that sends it', () => {
    const body = bodyOf(makePost(order, bodies, [sender], 0, 1_000).next());
    expect(body.device_id).toBe(sender.deviceId);
    expect(loadSchemas().checkOf('LocationsBody')(body)).toBeUndefined();
  });

  it('never sends a second of a device twice, neither on one line nor on two', () => {
    const lines = [0, 1].map((at) => makePost(order, bodies, [sender], at, 1_000));
    const seconds = lines.flatMap((line) => [0, 1].flatMap(() => (
      bodyOf(line.next()).locations.map(({ timestamp }) => timestamp)
    )));
    expect(new Set(seconds).size).toBe(2 * 2 * order.locations);
  });

  it('takes its devices by turns, at other seconds each', () => {
    const other = { ...sender, deviceId: sender.deviceId.replace(/1$/, '2') };
    const line = makePost(order, bodies, [sender, other], 0, 1_000);
    const sent = [0, 1, 2].map(() => bodyOf(line.next()));
    expect(sent.map(({ device_id }) => device_id))
      .toEqual([sender.deviceId, other.deviceId, sender.deviceId]);
    expect(new Set(sent.map(({ locations: [fix] }) => fix?.timestamp)).size).toBe(3);
  });

  it('gives a fix and its telemetry the same second', () => {
    const { locations } = bodyOf(makePost(order, bodies, [sender], 0, 9).next());
    for (const { timestamp, telemetry } of locations) {
      expect(telemetry.timestamp).toBe(timestamp);
    }
  });

  it('begins each order at other seconds', () => {
    const next = firstSeconds(1_800_000_000_000);
    expect(next()).toBeLessThan(next());
  });
});

describe('statistics', () => {
  it.each([[[3], 3], [[5, 1, 3], 3], [[4, 1, 3, 2], 2.5]])('has of %j the median %d', (
    values, wanted,
  ) => {
    expect(median(values)).toBe(wanted);
  });

  it('counts how often a value was seen', () => {
    expect(quantile([[1, 98], [50, 1], [9, 1]], 0.5)).toBe(1);
    expect(quantile([[1, 98], [50, 1], [9, 1]], 0.99)).toBe(9);
  });
});

describe('the page', () => {
  const row = (subject: string, postUs: number, wrong: readonly string[] = []): EdgeRow => ({
    subject, locations: 10, lines: 64, postUs, roundsUs: [postUs], postsPerSecond: 1, p50Ms: 1,
    p99Ms: 2, wrong,
  });
  const report: BenchReport = {
    command: 'npm run bench', edge: [row('floor', 10), row('rastro', 25)],
    machine: {
      cpu: 'c', cores: 2, memoryGiB: 1, kernel: 'k', node: 'v', commit: 'abc', loadBefore: 0,
    },
  };

  it('shows each subject in floors of its own run, and the command', () => {
    const page = pageOf(report);
    expect(page).toContain('| 64 | 10 | rastro | 25.0 | 2.50 | 25 |');
    expect(page).toContain('`npm run bench` at commit abc');
    expect(page).not.toContain('Wrong');
  });

  it('puts beside each aim what was reached, and leaves out what was not measured', () => {
    const at512 = [row('floor', 10), row('rastro', 25), row('camel', 20)]
      .map((each) => ({ ...each, lines: 512 }));
    const page = pageOf({ ...report, edge: at512 });
    expect(page).toContain('| edge, 512 connections, posts of 10 | ≤ 3 times the floor | 2.50 | yes |');
    expect(page).toContain('| ≥ 1 times ours | 0.80 | no |');
    expect(page).not.toContain('posts of 50 |');
  });

  it('holds the aims of freshness against the row of half load', () => {
    const seen = {
      probes: 9, redisP50Ms: 1, redisP99Ms: 60, clickhouseP50Ms: 1, clickhouseP99Ms: 900, wrong: [],
    };
    const page = pageOf({
      ...report,
      freshness: [{ ...seen, loadFraction: 0.5 }, { ...seen, loadFraction: 0.8, redisP99Ms: 7 }],
    });
    expect(page).toContain('| freshness in Redis at half load, p99 | ≤ 100 ms | 60.00 | yes |');
    expect(page).toContain('| 0.8 | 1 | 7 | 1 | 900 |');
  });

  it('shows the chain line by line, and holds its aim against 512 connections', () => {
    const costs = {
      kafka: 80, redis: 16, clickhouse: 70, registry: 0, gateway: 50, projectors: 20,
    };
    const chain = {
      lines: 64, locationsPerSecond: 7_000, cpuUs: { ...costs, 'table-writer': 9 },
      mergesUs: 12, oursUs: 165, catchUpMs: 800, wrong: [],
    };
    const page = pageOf({
      ...report, chain, chainOnMoreLines: [{ ...chain, lines: 512, oursUs: 15.5 }],
      days: { fixes: 2_000, views: [{ view: 'device_days_refresh', cpuUs: 5_000_000 }] },
    });
    expect(page).toContain('days with 2000 fixes that came at once');
    expect(page).toContain('| device_days_refresh | 5.0 | 2500.00 |');
    expect(page).toContain('| 64 | 80.00 | 16.00 | 70.00 | 0.00 | 50.00 | 20.00 | 9.00 | 12.00 | 165.00 |');
    expect(page).toContain('512 connections, without the broker | ≤ 16 µs a location | 15.50 | yes |');
  });

  it('shows what knowing more devices costs, by who pays, and holds it against the fewest', () => {
    const costs = { kafka: 8, redis: 1, clickhouse: 7, registry: 0, gateway: 5, projectors: 2 };
    const fewest = {
      known: 1_000, sending: 1_000, locationsPerSecond: 7_000,
      cpuUs: { ...costs, 'table-writer': 3 }, mergesUs: 4, oursUs: 20,
      storeBytes: 1_024 ** 2, gatewayBytes: 300 * 1_024 ** 2, workerBytes: 200 * 1_024 ** 2,
      wrong: [],
    };
    const page = pageOf({ ...report, known: [fewest, { ...fewest, known: 2_000, oursUs: 24 }] });
    expect(page).toContain('| cost at 2000 known devices | ≤ 1.15 times that at 1000 | 1.20 | no |');
    expect(page).toContain('| 1000 | 1000 | 8.00 | 1.00 | 7.00 | 0.00 | 5.00 | 2.00 | 3.00 | 4.00 '
      + '| 20.00 | 7000 | 1 | 1049 | 300 | 200 |');
  });

  it('shows a sustained load poll by poll, in seconds behind', () => {
    const page = pageOf({
      ...report, sustained: {
        known: 7, wantedLocationsPerSecond: 60_000, locationsPerSecond: 50_001,
        polls: [{ atSecond: 10, behindLocations: 100_002 }], wrong: [],
      },
    });
    expect(page).toContain('| sustained for 10 s with 7 devices known | ≥ 50000 locations a second '
      + '| 50001.00 | yes |');
    expect(page).toContain('| 10 | 100002 | 2.0 |');
  });

  it('shows what late fixes cost beside fresh ones, and their parts', () => {
    const late = [{ locations: 399, freshMs: 100, lateMs: 150, freshParts: 6, lateParts: 9 }];
    const page = pageOf({ ...report, late });
    expect(page).toContain('| insert of 399 fixes over 399 days | ≤ 3 times one of as many fresh ones '
      + '| 1.50 | yes |\n| its parts | ≤ 12 parts | 9.00 | yes |');
    expect(page).toContain('| 399 | 100 | 150 | 1.50 | 6 | 9 |');
  });

  it('shows what the body of a stranger costs beside none', () => {
    const strangers = [
      { body: 'none', bytes: 2, unpackedBytes: 2, callUs: 200, wrong: [] },
      { body: 'a bomb', bytes: 6_000, unpackedBytes: 6_000_000, callUs: 220, wrong: [] },
    ];
    const page = pageOf({ ...report, strangers });
    expect(page).toContain('| call of a stranger with a bomb | ≤ 1.5 times one without | 1.10 | yes |');
    expect(page).toContain('| a bomb | 6000 | 6000000 | 220 | 1.10 |');
  });

  it('says what is wrong with a row', () => {
    const page = pageOf({ ...report, edge: [row('lean', 1, ['2 accepted, but 1 in the log'])] });
    expect(page).toContain('**Wrong: lean: 2 accepted, but 1 in the log.**');
  });
});
