import { describe, expect, it } from 'vitest';
import type { GroupOffset, LogWatch } from '../../../services/kernel/log-watch.ts';
import { lagCommand } from '../../../services/cli/watch/lag-command.ts';
import { topicsCommand } from '../../../services/cli/watch/topics-command.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

const NOW_MS = 1_800_000_000_000;

describe('rastro lag', () => {
  it('shows records and the age of the oldest one that is not committed', async () => {
    const watch = watchOf({ 'rastro.writer': { next: 2n, agesS: [900, 600, 61, 5] } });
    const { value, lines, exitCode } = await lagCommand({ watch, clock }, []);
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
    const { value } = await lagCommand({ watch, clock }, []);
    expect(value).toMatchObject([{ records: 0, seconds: 0 }]);
  });

  it('puts the group that is furthest behind first', async () => {
    const watch = watchOf({
      'rastro.a': { next: 0n, agesS: [30] }, 'rastro.b': { next: 0n, agesS: [300, 1] },
    });
    const { value } = await lagCommand({ watch, clock }, []);
    expect(value).toMatchObject([{ group: 'rastro.b' }, { group: 'rastro.a' }]);
  });

  it.each([['61', 0], ['60', 1]])('ends with the code for at most %s seconds: %i', async (
    seconds, wanted,
  ) => {
    const watch = watchOf({ 'rastro.writer': { next: 0n, agesS: [61] } });
    const { exitCode } = await lagCommand({ watch, clock }, ['--max-seconds', seconds]);
    expect(exitCode).toBe(wanted);
  });

  it('refuses a limit that is no number', async () => {
    const { exitCode } = await lagCommand({ watch: watchOf({}), clock }, ['--max-seconds', 'x']);
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
