import { describe, expect, it } from 'vitest';
import type { GroupMembers, GroupOffset } from '../../../services/kernel/log-watch.ts';
import { drainCommand } from '../../../services/cli/drain/command.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';

const PID = 4_242;

/** A world in which each pause lets a second pass and `after` seconds say what has happened. */
function drain(
  scene: {
    readonly endsAfterS?: number;
    readonly members?: (second: number) => readonly GroupMembers[];
    readonly lag?: (second: number) => number;
  }, ...args: string[]
) {
  let second = 0;
  const asked: number[] = [];
  const { watch } = fakeWatchedLog([]);
  const place = (): GroupOffset => ({
    topic: 't', partition: 0, start: 0n, next: 100n - BigInt(scene.lag?.(second) ?? 0), end: 100n,
  });
  return drainCommand({
    watch: {
      ...watch,
      groups: (prefix) => Promise.resolve(['rastro.a'].filter((name) => name.startsWith(prefix))),
      offsets: () => Promise.resolve([place()]),
      members: () => Promise.resolve(scene.members?.(second) ?? []),
    },
    clock: { nowMs: () => second * 1_000 },
    pause: () => {
      second += 1;
      return Promise.resolve();
    },
    processes: {
      isAlive: (pid) => pid === PID && (asked.length === 0 || second < (scene.endsAfterS ?? 0)),
      askToEnd: (pid) => { asked.push(pid); },
    },
  }, args).then((report) => ({ ...report, asked }));
}

const group = (members: readonly string[], isStable = true): GroupMembers => (
  { group: 'rastro.a', members, isStable }
);

describe('rastro drain --pid', () => {
  it('asks the process once, waits until it has ended and its group is stable', async () => {
    const report = await drain({
      endsAfterS: 3,
      members: (second) => (second < 3 ? [group(['m1', 'm2'])] : [group(['m2'], second >= 5)]),
    }, '--pid', String(PID));
    expect(report.asked).toEqual([PID]);
    expect(report).toMatchObject({
      exitCode: 0,
      value: { ended: true, rebalanced: true, groups: [{ group: 'rastro.a', left: 1, members: 1 }] },
    });
  });

  it('names no group for a process that read in none', async () => {
    const report = await drain({ members: () => [group(['m1'])] }, '--pid', String(PID));
    expect(report).toMatchObject({ exitCode: 0, value: { groups: [] } });
  });

  it('ends with 1, and forces nothing, when the process has not ended in time', async () => {
    const report = await drain({ endsAfterS: 99 }, '--pid', String(PID), '--max-seconds', '5');
    expect(report).toMatchObject({ exitCode: 1, value: { ended: false }, asked: [PID] });
  });

  it('ends with 1 when no member is left in a group', async () => {
    const report = await drain({
      endsAfterS: 1, members: (second) => [group(second < 1 ? ['m1'] : [])],
    }, '--pid', String(PID));
    expect(report.exitCode).toBe(1);
    expect(report.lines.at(-1)).toBe('No process reads any more in rastro.a: records wait.');
  });

  it('ends with 1 when the share of the process was not taken over in time', async () => {
    const report = await drain({
      endsAfterS: 1, members: (second) => [group(second < 1 ? ['m1', 'm2'] : ['m2'], false)],
    }, '--pid', String(PID), '--max-seconds', '5');
    expect(report).toMatchObject({ exitCode: 1, value: { ended: true, rebalanced: false } });
  });

  it('asks nothing when there is no such process', async () => {
    expect(await drain({}, '--pid', '7')).toMatchObject({ exitCode: 3, asked: [] });
  });
});

describe('rastro drain --group', () => {
  it('waits until no group is further behind than was said', async () => {
    const lag = (second: number): number => 10 - second;
    expect(await drain({ lag }, '--group', 'rastro.')).toMatchObject({
      exitCode: 0, value: { groups: [{ group: 'rastro.a', records: 0 }] }, asked: [],
    });
    expect(await drain({ lag }, '--group', 'rastro.', '--until-lag', '4')).toMatchObject({
      exitCode: 0, value: { groups: [{ records: 4 }] },
    });
  });

  it('ends with 1 when they are still behind at the end, with 3 when they are not there', async () => {
    expect(await drain({ lag: () => 5 }, '--group', 'rastro.', '--max-seconds', '3'))
      .toMatchObject({ exitCode: 1, value: { groups: [{ records: 5 }] } });
    expect((await drain({}, '--group', 'other.')).exitCode).toBe(3);
  });
});

describe('rastro drain', () => {
  it.each([
    [[]], [['--pid', '1']], [['--pid', '0']], [['--pid', '-5']], [['--pid', 'all']],
    [['--pid', '7', '--group', 'rastro.']], [['--group', 'rastro.', '--until-lag', 'x']],
    [['--group', 'rastro.', '--max-seconds', '0']], [['7']],
  ])('refuses %j', async (args) => {
    const refused = await drain({}, ...args).catch((error: unknown) => error);
    // Options that look like others are refused by the parser; main.ts makes them wrong use.
    if (refused instanceof TypeError) return;
    expect(refused).toMatchObject({ exitCode: 2, asked: [] });
  });
});
