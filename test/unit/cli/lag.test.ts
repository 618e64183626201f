import { describe, expect, it } from 'vitest';
import type { GroupOffset, LogWatch } from '../../../services/kernel/log-watch.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { Report } from '../../../services/cli/ports.ts';
import { lagCommand } from '../../../services/cli/watch/lag-command.ts';
import { topicsCommand } from '../../../services/cli/watch/topics-command.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

const NOW_MS = 1_800_000_000_000;

describe('rastro lag', () => {
  it('shows records and the age of the oldest one that is not committed', async () => {
    const watch = watchOf({ 'rastro.writer': { next: 2n, agesS: [900, 600, 61, 5] } });
    const { value, lines, exitCode } = await lagCommand({ ...idle, watch, clock }, []);
    expect(value).toEqual([
      { group: 'rastro.writer', topic: 't', partitions: 1, records: 2, seconds: 61 },
    ]);
    expect(lines).toEqual([
      'GROUP          TOPIC  PARTITIONS  RECORDS  SECONDS',
      'rastro.writer  t               1        2       61',
    ]);
    expect(exitCode).toBe(0);
  });

  it('is 0 seconds for a group that has everything, whatever the age of the log', async () => {
    const watch = watchOf({ 'rastro.writer': { next: 2n, agesS: [900, 600] } });
    const { value } = await lagCommand({ ...idle, watch, clock }, []);
    expect(value).toMatchObject([{ records: 0, seconds: 0 }]);
  });

  it('puts the group that is furthest behind first', async () => {
    const watch = watchOf({
      'rastro.a': { next: 0n, agesS: [30] }, 'rastro.b': { next: 0n, agesS: [300, 1] },
    });
    const { value } = await lagCommand({ ...idle, watch, clock }, []);
    expect(value).toMatchObject([{ group: 'rastro.b' }, { group: 'rastro.a' }]);
  });

  it('shows the offsets of each partition, which a runbook compares', async () => {
    const watch = watchOf({ 'rastro.writer': { next: 2n, agesS: [900, 600, 61, 5] } });
    const { value, lines } = await lagCommand({ ...idle, watch, clock }, ['--partitions']);
    expect(value).toEqual([
      { group: 'rastro.writer', topic: 't', partition: 0, first: 0, committed: 2, end: 4 },
    ]);
    expect(lines).toEqual([
      'GROUP          TOPIC  PARTITION  FIRST  COMMITTED  END',
      'rastro.writer  t              0      0          2    4',
    ]);
  });

  it('--partitions refuses --max-seconds, which it would not hold', async () => {
    const watch = watchOf({ 'rastro.writer': { next: 0n, agesS: [61] } });
    expect(await lagCommand({ ...idle, watch, clock }, ['--partitions', '--max-seconds', '1']))
      .toMatchObject({ exitCode: 2 });
  });

  it.each([[[]], [['--partitions']]])(
    'ends with 3 for a group that is not there, so that no script takes it for one in order: %j',
    async (more) => {
      const watch = watchOf({});
      expect(await lagCommand({ ...idle, watch, clock }, ['--group', 'rastro.typo', ...more]))
        .toMatchObject({ exitCode: 3, lines: [expect.stringContaining('begins with rastro.typo')] });
      expect(await lagCommand({ ...idle, watch, clock }, [...more])).toMatchObject({ exitCode: 0 });
    },
  );

  it.each([['61', 0], ['60', 1]])('ends with the code for at most %s seconds: %i', async (
    seconds, wanted,
  ) => {
    const watch = watchOf({ 'rastro.writer': { next: 0n, agesS: [61] } });
    const { exitCode } = await lagCommand({ ...idle, watch, clock }, ['--max-seconds', seconds]);
    expect(exitCode).toBe(wanted);
  });

  it('shows it again every few seconds with --watch, also while the log is away', async () => {
    const shown: Report[] = [];
    const waits: number[] = [];
    const there = watchOf({ 'rastro.writer': { next: 0n, agesS: [61] } });
    const watch: LogWatch = {
      ...there,
      groups: (prefix) => waits.length === 1
        ? Promise.reject(new Unavailable('log_unavailable', 'receive', 'no broker'))
        : there.groups(prefix),
    };
    const pause = (ms: number): Promise<void> => (
      waits.push(ms) < 3 ? Promise.resolve() : Promise.reject(new Error('Ctrl-C'))
    );
    const ports = { watch, clock, pause, print: (report: Report) => void shown.push(report) };
    await expect(lagCommand(ports, ['--watch', '2'])).rejects.toThrow('Ctrl-C');
    expect(waits).toEqual([2_000, 2_000, 2_000]);
    expect(shown.map(({ value }) => value)).toMatchObject([
      [{ seconds: 61 }], { error: expect.stringContaining('no broker') }, [{ seconds: 61 }],
    ]);
    waits.length = 0;
    await expect(lagCommand(ports, ['--watch'])).rejects.toThrow('Ctrl-C');
    expect(waits[0]).toBe(5_000);
  });

  it('refuses a limit that is no number', async () => {
    const { exitCode } = await lagCommand({ ...idle, watch: watchOf({}), clock }, ['--max-seconds', 'x']);
    expect(exitCode).toBe(2);
  });
});

describe('rastro topics', () => {
  const whole = Object.values(TOPICS).flatMap(({ name: topic, partitions }) => (
    Array.from({ length: partitions }, (_, partition) => ({
      topic, partition, start: 1n, end: 4n,
    }))
  ));

  it('counts what each topic of the catalog holds', async () => {
    const watch = { ...watchOf({}), ranges: () => Promise.resolve(whole) };
    const { value, exitCode } = await topicsCommand({ watch }, []);
    const { name, partitions } = TOPICS.locations;
    expect(value).toContainEqual(expect.objectContaining({
      topic: name, partitions, wanted: partitions, offsets: 3 * partitions,
    }));
    expect(exitCode).toBe(0);
  });

  it('fails and names a topic that is missing', async () => {
    const there = whole.filter(({ topic }) => topic !== TOPICS.locations.name);
    const watch = { ...watchOf({}), ranges: () => Promise.resolve(there) };
    const { lines, exitCode } = await topicsCommand({ watch }, []);
    expect(lines.at(-1)).toContain(`${TOPICS.locations.name} has 0 partitions`);
    expect(exitCode).toBe(1);
  });
});

const clock = { nowMs: () => NOW_MS };
const idle = { pause: () => Promise.resolve(), print: () => {} };

/** Groups with one partition each, whose records have these ages in s from the oldest on. */
function watchOf(
  groups: Readonly<Record<string, { next: bigint; agesS: readonly number[] }>>,
): LogWatch {
  let asked: readonly number[] = [];
  return {
    groups: (prefix) => Promise.resolve(
      Object.keys(groups).filter((name) => name.startsWith(prefix)),
    ),
    offsets(group) {
      const { next, agesS } = groups[group] ?? { next: 0n, agesS: [] };
      asked = agesS;
      const place: GroupOffset = {
        topic: 't', partition: 0, start: 0n, next, end: BigInt(agesS.length),
      };
      return Promise.resolve([place]);
    },
    ranges: () => Promise.resolve([]),
    firstSince(_places, sinceMs) {
      const first = asked.findIndex((age) => NOW_MS - age * 1_000 >= sinceMs);
      return Promise.resolve(new Map([['t:0', BigInt(first < 0 ? asked.length : first)]]));
    },
  };
}
