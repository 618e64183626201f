import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkModel } from '../../../services/cli/capacity/check.ts';
import { FIGURES, readCosts } from '../../../services/cli/capacity/costs.ts';
import { ASSUMED, sizeFor } from '../../../services/cli/capacity/model.ts';
import { capacityPage } from '../../../services/cli/capacity/page.ts';
import { capacityCommand } from '../../../services/cli/capacity/command.ts';

/** Round numbers, not measured: only the arithmetic is at stake. */
const SAMPLE = {
  command: 'npm run bench', machine: { commit: 'abc', cpu: 'Sample', cores: 2, loadBefore: 0.1 },
  chain: {
    cpuUs: {
      gateway: 10, 'table-writer': 4, projectors: 2, redis: 1, clickhouse: 8, kafka: 3, registry: 0,
    },
    locationsPerSecond: 70_000,
    wrong: [],
  },
  known: [
    { known: 10_000, storeBytes: 12_000_000, gatewayBytes: 400, oursUs: 25, wrong: [] },
    { known: 110_000, storeBytes: 112_000_000, gatewayBytes: 300, oursUs: 30, wrong: [] },
  ],
  catchUp: { catchUpLocationsPerSecond: 10_000 },
  disk: { recorded: { withTelemetryBytes: 20 } },
};
const GIB = 1_024 ** 3;

const ports = (report: unknown) => ({ readJson: () => report, defaultPath: 'bench.json' });
const valuesOf = (devices: number, periodSeconds: number) => new Map(
  sizeFor({ devices, periodSeconds }, readCosts(SAMPLE)).map(({ what, value }) => [what, value]),
);

describe('the costs of a run of the bench', () => {
  it('are read with the run that they are from', () => {
    const { run, figures } = readCosts(SAMPLE);
    expect(run).toContain('npm run bench');
    expect(run).toContain('commit abc');
    expect(figures).toMatchObject({
      gateways: 10, tableWriters: 4, diskBytes: 20, gatewayBytes: 400, catchUp: 10_000,
    });
  });

  it('of a device in Redis are what the store grew by, not what an empty one has', () => {
    expect(readCosts(SAMPLE).figures.redisBytes).toBe(1_000);
  });

  it('are refused when one is missing, or when the run says itself that it is wrong', () => {
    for (const path of Object.values(FIGURES).map((figure) => figure.path)) {
      const [part = ''] = path.split('.');
      expect(() => readCosts({ ...SAMPLE, [part]: undefined })).toThrow(/no (number|two fleets)/);
    }
    expect(() => readCosts({ ...SAMPLE, chain: { ...SAMPLE.chain, wrong: ['posts failed'] } }))
      .toThrow('posts failed');
    expect(() => readCosts(undefined)).toThrow();
  });
});

describe('the model', () => {
  it('multiplies the peak by what a location costs, and divides by what may be busy', () => {
    const values = valuesOf(1_000_000, 10);
    expect(values.get('locations')).toBe(100_000);
    expect(values.get('locations at the peak')).toBe(200_000);
    expect(values.get('gateways: cores')).toBeCloseTo(200_000 * 10 / 1_000_000 / 0.65);
    expect(values.get('gateway of locations: Pods of one core')).toBe(4);
    expect(values.get('brokers: cores')).toBeCloseTo(200_000 * 3 * 3 / 1_000_000 / 0.65);
  });

  it('stores the mean, not the peak, as long as log and tables keep it', () => {
    const values = valuesOf(1_000_000, 10);
    expect(values.get('log: disk of all brokers'))
      .toBeCloseTo(100_000 * 86_400 * 7 * 120 * 3 / 0.7 / GIB);
    expect(values.get('ClickHouse: disk of one copy'))
      .toBeCloseTo(100_000 * 86_400 * 400 * 20 / 0.7 / GIB);
    expect(values.get('Redis: memory of all shards')).toBeCloseTo(1e6 * 1_000 / 0.7 / GIB);
  });

  it('never goes below two Pods, three brokers and the partitions of the catalog', () => {
    const values = valuesOf(100, 60);
    expect(values.get('table-writer: Pods of one core')).toBe(2);
    expect(values.get('brokers')).toBe(3);
    expect(values.get('partitions of locations')).toBe(12);
    expect(values.get('Redis: shards')).toBe(1);
  });

  it('asks for more partitions where a group needs more Pods than there are', () => {
    expect(valuesOf(100_000_000, 10).get('partitions of locations')).toBeGreaterThan(12);
  });

  it('shows arithmetic that comes to its result when it is done by hand', () => {
    const line = sizeFor({ devices: 1_000_000, periodSeconds: 10 }, readCosts(SAMPLE))
      .find(({ what }) => what === 'gateways: cores');
    expect(line?.arithmetic).toBe('200000 × 10 µs / 1000000 / busy 0.65');
  });
});

describe('the model and the run', () => {
  it('are compared in what the model does not read', () => {
    expect(checkModel(readCosts(SAMPLE))).toMatchObject([
      { foretold: 2 * 1_000_000 / 28, measured: 70_000 },
      { foretold: 25, measured: 25 }, { foretold: 25, measured: 30 },
    ]);
  });

  it('agree within a third where a run is committed', () => {
    const report: unknown = JSON.parse(
      readFileSync('docs/reference/performance/bench.json', 'utf8'),
    );
    const ratios = checkModel(readCosts(report))
      .map(({ foretold, measured }) => foretold / measured);
    expect(ratios.length).toBeGreaterThan(2);
    expect(Math.min(...ratios)).toBeGreaterThan(2 / 3);
    expect(Math.max(...ratios)).toBeLessThan(4 / 3);
  });
});

describe('rastro capacity', () => {
  it('says from which run its costs are, and what is assumed', async () => {
    const { exitCode, lines, value } = await capacityCommand(
      ports(SAMPLE), ['--devices', '1000', '--period', '10'],
    );
    expect(exitCode).toBe(0);
    expect(lines[0]).toContain('commit abc');
    expect(lines[1]).toContain('peak 2');
    expect(value).toMatchObject({
      demand: { devices: 1_000, periodSeconds: 10 }, assumed: ASSUMED,
    });
  });

  it('takes another assumption', async () => {
    const { value } = await capacityCommand(
      ports(SAMPLE), ['--devices', '1000', '--period', '10', '--broker-cores', '8'],
    );
    expect(value).toMatchObject({ assumed: { ...ASSUMED, brokerCores: 8 } });
  });

  it('ends with 1 without a run, and with 2 without a fleet', async () => {
    const none = await capacityCommand(
      {
        readJson: () => { throw new Error('ENOENT: no such file, open \'/a/bench.json\''); },
        defaultPath: join(process.cwd(), 'docs', 'bench.json'),
      },
      ['--devices', '1000', '--period', '10'],
    );
    expect(none.exitCode).toBe(1);
    expect(none.lines[0]).toMatch(/^No measured costs in docs\/bench.json: ENOENT: no such file\. Run /);
    for (const args of [[], ['--devices', '0', '--period', '10'], ['--devices', 'x']]) {
      expect((await capacityCommand(ports(SAMPLE), args)).exitCode).toBe(2);
    }
  });
});

describe('the page of capacity', () => {
  it('has no figure of a fleet without a run, and the table of fleets with one', () => {
    const without = capacityPage(undefined);
    expect(without).toContain('No run is committed yet');
    expect(without).not.toContain('## Fleets');
    expect(without).toContain('`--broker-cores`');
    expect(capacityPage(readCosts(SAMPLE)))
      .toContain('| 10,000 | 100,000 | 1,000,000 | 10,000,000 |');
  });
});
