import { describe, expect, it } from 'vitest';
import type { Overflow } from '../../../services/kernel/overflow.ts';
import { readOverflow } from '../../../services/kernel/read-overflow.ts';
import { makeSignals, type AnyFacts, type SignalName } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { FLOOD_LIMITS } from '../../../services/workers/table-writer/overflow/config.ts';
import { createFloodWatch } from '../../../services/workers/table-writer/overflow/flood-watch.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord, anUndecodableRecord, fakeLogReader } from '../../support/fake-log-reader.ts';

const START = 1_764_000_000_000;
const PARTITION = { topic: FLOOD_LIMITS.origin, topicId: 't', partition: 0 };

/** One writer with one partition, whose clock the test moves. */
function aWriter() {
  const log = fakeRecordLog();
  const said: { name: SignalName; facts: AnyFacts }[] = [];
  let nowMs = START;
  let decided: Overflow = { devices: new Map(), providers: new Map() };
  let isDown = false;
  let isRead = true;
  const refresh = async () => {
    decided = await readOverflow(fakeLogReader(log.appended.map(
      ({ topic, key, value }, at) => aLogRecord(topic, at, value, { key }),
    )), FLOOD_LIMITS.decisions);
  };
  const watch = createFloodWatch(FLOOD_LIMITS, {
    isOverflowRead: () => Promise.resolve(isRead),
    keys: { decided: () => decided, refresh },
    log: { append: (record, deadlineMs) => (isDown
      ? Promise.reject(new Unavailable('log_unavailable', 'append', 'as the test asked'))
      : log.append(record, deadlineMs)) },
    clock: { nowMs: () => nowMs },
    signals: makeSignals((_, name) => (facts) => { said.push({ name, facts }); }),
  });
  watch.begin([PARTITION]);
  return {
    watch,
    saidOf: (name: SignalName) => (
      said.filter((each) => each.name === name).map(({ facts }) => facts)),
    decisions: () => log.of(FLOOD_LIMITS.decisions),
    down(state: boolean) { isDown = state; },
    overflowRead(state: boolean) { isRead = state; },
    pass(ms: number) { nowMs += ms; },
    /** Handles posts of so many fixes of each provider, which waited for so long. */
    handle(fixes: Readonly<Record<string, number>>, waitedMs: number) {
      return watch.handled(Object.entries(fixes).map(([provider, n], at) => aLogRecord(
        FLOOD_LIMITS.origin, at, {},
        { headers: { provider, n: String(n) }, timestampMs: nowMs - waitedMs },
      )));
    },
  };
}

const FLOOD = { acme: 9_000, calm: 1_000 };

/** A writer at work for a minute, in which nothing was late. */
async function aBusyWriter() {
  const writer = aWriter();
  writer.pass(60_000);
  await writer.handle(FLOOD, 1_000);
  return writer;
}

describe('[GEN-68] What a table writer counts', () => {
  it('moves a provider, and says so in the log of decisions, in its own and in metrics', async () => {
    const writer = await aBusyWriter();
    expect(writer.decisions()).toEqual([]);
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.decisions()).toMatchObject([
      { key: 'flood:acme', value: { provider: 'acme', by: 'writer', state: 'in', version: 1 } },
    ]);
    expect(writer.saidOf('providerMoved')).toEqual([
      { provider: 'acme', seconds: 600, outcome: 'moved' },
    ]);
    expect(writer.saidOf('movedProviderRead')).toEqual([{ provider: 'acme', moved: 1 }]);
  });

  it('is of whole windows: a batch before the end of one decides nothing', async () => {
    const writer = await aBusyWriter();
    writer.pass(14_999);
    await writer.handle(FLOOD, 30_000);
    expect(writer.decisions()).toEqual([]);
    writer.pass(1);
    await writer.handle({ calm: 1 }, 0);
    expect(writer.decisions()).toHaveLength(1);
  });

  it('sets the metric back when the time is over, and when the partitions are gone', async () => {
    const writer = await aBusyWriter();
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    writer.pass(600_000);
    await writer.handle({ calm: 1 }, 0);
    expect(writer.saidOf('movedProviderRead').at(-1)).toEqual({ provider: 'acme', moved: 0 });
    writer.pass(60_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.saidOf('movedProviderRead').at(-1)).toEqual({ provider: 'acme', moved: 1 });
    writer.watch.end();
    expect(writer.saidOf('movedProviderRead').at(-1)).toEqual({ provider: 'acme', moved: 0 });
  });

  it('does not blame a provider for the time in which the writer was away or failed', async () => {
    const away = aWriter();
    away.pass(29_999);
    await away.handle(FLOOD, 600_000);
    expect(away.decisions()).toEqual([]);
    const failing = await aBusyWriter();
    failing.watch.failed();
    failing.pass(29_999);
    await failing.handle(FLOOD, 600_000);
    expect(failing.decisions()).toEqual([]);
  });

  it('decides again with the next window when the log did not take the decision', async () => {
    const writer = await aBusyWriter();
    writer.down(true);
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.saidOf('floodUndecided')).toMatchObject([{ provider: 'acme' }]);
    expect(writer.saidOf('providerMoved')).toEqual([]);
    writer.down(false);
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.decisions()).toHaveLength(1);
  });

  it('moves no provider to an overflow topic that no worker reads', async () => {
    const writer = await aBusyWriter();
    writer.overflowRead(false);
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.saidOf('floodUndecided')).toHaveLength(1);
    expect(writer.decisions()).toEqual([]);
    writer.overflowRead(true);
    writer.pass(15_000);
    await writer.handle(FLOOD, 30_000);
    expect(writer.decisions()).toHaveLength(1);
  });

  it('is only of locations that can be read and name their provider', async () => {
    const writer = await aBusyWriter();
    writer.pass(15_000);
    const old = { timestampMs: START };
    await writer.watch.handled([
      anUndecodableRecord(FLOOD_LIMITS.origin, 0),
      aLogRecord('rtt.telemetry-events.v1', 1, {}, { ...old, headers: { provider: 'acme', n: '9000' } }),
      aLogRecord(FLOOD_LIMITS.origin, 2, {}, { ...old, headers: { n: '9000' } }),
    ]);
    expect(writer.decisions()).toEqual([]);
  });

  it('moves no provider that has been alone for ten minutes', async () => {
    const writer = await aBusyWriter();
    for (let windows = 0; windows < 41; windows += 1) {
      writer.pass(15_000);
      await writer.handle({ acme: 9_000 }, 1_000);
    }
    writer.pass(15_000);
    await writer.handle({ acme: 9_000 }, 60_000);
    expect(writer.decisions()).toEqual([]);
  });
});
