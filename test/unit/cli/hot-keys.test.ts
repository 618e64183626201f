import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { hotKeysCommand } from '../../../services/cli/watch/hot-keys-command.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const NOW_MS = 1_800_000_000_000;
const TOPIC = TOPICS.locations.name;

/** `count` records of a key, one a second, the newest `agoS` ago; each of 10 bytes and 3 items. */
function records(key: string, count: number, partition = 0, agoS = 0): Partial<LogRecord>[] {
  return Array.from({ length: count }, (_, at) => ({
    key, partition, timestampMs: NOW_MS - (agoS + count - 1 - at) * 1_000, headers: { n: '3' },
  }));
}

/** A decision about one device in the log; the newest version of a device counts. */
function decided(device_id: string, state: 'in' | 'out', version = 1): LogRecord {
  return aLogRecord(TOPICS.overflow.name, version, { device_id, state, version, at_ms: NOW_MS });
}

function hotKeys(parts: readonly Partial<LogRecord>[], ...args: string[]) {
  return hotKeysWith([], parts, ...args);
}

function hotKeysWith(
  decisions: readonly LogRecord[], parts: readonly Partial<LogRecord>[], ...args: string[]
) {
  const ordered = parts.toSorted((a, b) => (a.timestampMs ?? 0) - (b.timestampMs ?? 0));
  const ends = [0, 0];
  const log = fakeWatchedLog([...decisions, ...ordered.map((part) => {
    const { partition = 0 } = part;
    const offset = ends[partition] ?? 0;
    ends[partition] = offset + 1;
    return aLogRecord(TOPIC, offset, '"12345678"', part);
  })], 2);
  return hotKeysCommand({ ...log, clock: { nowMs: () => NOW_MS } }, args)
    .then((report) => ({ ...report, read: log.read() }));
}

describe('rastro hot-keys', () => {
  it('shows records, bytes, share and rates of each key, and 1 when a key swamps its partition', async () => {
    const { value, lines, exitCode } = await hotKeys(
      [...records('hot', 201), ...records('calm', 67)],
    );
    expect(value).toEqual({
      topic: TOPIC,
      keys: [
        {
          partition: 0, key: 'hot', records: 201, bytes: 2_010, items: 603, ratio: 0.75,
          bytes_per_second: 10.05, items_per_second: 3.015, in_overflow: false, hot: true,
        },
        expect.objectContaining({ key: 'calm', records: 67, ratio: 0.25, hot: false }),
      ],
    });
    expect(lines.at(-1)).toBe(`hot swamps partition 0 of ${TOPIC}.`);
    expect(exitCode).toBe(1);
  });

  it('marks a device in overflow, which delays no other, and asks for nothing to be done', async () => {
    const log = [...records('aside', 300), ...records('back', 300, 1)];
    const decisions = [decided('aside', 'in'), decided('back', 'in'), decided('back', 'out', 2)];
    const { value, lines, exitCode } = await hotKeysWith(decisions, log);
    expect(value).toMatchObject({ keys: [
      { key: 'back', in_overflow: false, hot: true }, { key: 'aside', in_overflow: true, hot: false },
    ] });
    expect(lines.find((line) => line.includes('aside'))).toMatch(/in overflow$/);
    expect(exitCode).toBe(1);
    expect((await hotKeysWith(decisions, records('aside', 300))).exitCode).toBe(0);
  });

  it('finds none hot at a share just below, or in too few records', async () => {
    const even = await hotKeys([...records('a', 250), ...records('b', 251)], '--ratio', '0.51');
    expect(even.exitCode).toBe(0);
    const few = await hotKeys(records('alone', 199));
    expect(few).toMatchObject({ exitCode: 0, value: { keys: [{ ratio: 1, hot: false }] } });
    expect((await hotKeys(records('alone', 200))).exitCode).toBe(1);
  });

  it('reads no more than the newest records of the window, of each partition', async () => {
    const log = [...records('a', 250), ...records('b', 250, 1), ...records('old', 50, 0, 900)];
    expect((await hotKeys(log, '--window', '4m')).read).toBe(482);
    expect((await hotKeys(log, '--records', '50')).read).toBe(100);
  });

  it('shows a hot key of a quiet partition whatever --top says', async () => {
    const { value } = await hotKeys(
      [...records('x', 300), ...records('y', 290), ...records('quiet', 250, 1)], '--top', '1',
    );
    expect((value as { keys: { key: string }[] }).keys.map(({ key }) => key)).toEqual(['x', 'quiet']);
  });

  it('says so when nothing came lately', async () => {
    expect(await hotKeys(records('old', 5, 0, 900))).toMatchObject({
      exitCode: 0, lines: [`Nothing came into ${TOPIC} lately.`],
    });
  });

  it.each([
    ['a topic whose keys are secrets', ['--topic', TOPICS.tokens.name]],
    ['a topic whose keys name drivers', ['--topic', TOPICS.deliveryLocations.name]],
    ['a share of nothing', ['--ratio', '0']],
    ['a window without a unit', ['--window', '5']],
    ['a broken number', ['--top', '1.5']],
    ['a word too many', ['now']],
  ])('refuses %s', async (_, args) => {
    expect((await hotKeys([], ...args)).exitCode).toBe(2);
  });
});
