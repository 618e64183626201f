import { beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import type { Fold, FoldPorts } from '../../../services/kernel/fold.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeFoldSource, memoryFolds } from '../../support/fake-log-tail.ts';

const TOPICS = ['a', 'b'];
const CONFIG = { name: 'sums', topics: TOPICS, form: 1, recordsMin: 2, bytesMax: 200 };

/** The values that were folded, by topic. */
const VALUES: Fold<Record<string, string[]>> = {
  empty: () => ({}),
  add(content, { topic, value }) { (content[topic] ??= []).push(value.toString()); },
  write: (content) => content,
  read: (json) => json as Record<string, string[]>,
};

describe('A fold of topics', () => {
  let records: LogRecord[];
  let folds: ReturnType<typeof memoryFolds>;
  const tail = fakeFoldSource(() => records);
  const append = (topic: string, ...values: readonly string[]): void => {
    for (const value of values) {
      const offset = records.filter((record) => record.topic === topic).length;
      records.push(aLogRecord(topic, offset, value));
    }
  };
  const start = (config: Partial<typeof CONFIG> = {}, ports: Partial<FoldPorts> = {}) => (
    createTopicFold({ ...CONFIG, ...config }, VALUES, {
      ...tail, folds, signals: silentSignals, ...ports,
    })
  );
  const readOf = async (read: () => Promise<unknown>): Promise<readonly string[]> => {
    tail.read.length = 0;
    await read();
    return [...tail.read];
  };

  beforeEach(() => {
    records = [];
    folds = memoryFolds();
    append('a', '1', '2');
    append('b', '3');
  });

  it('[GEN-69] reads the tail behind its checkpoint when it starts, and only that', async () => {
    expect(await start()()).toEqual({ a: ['1', '2'], b: ['3'] });
    append('b', '4');
    const again = start();
    expect(await readOf(again)).toEqual(['b:1']);
    expect(await again()).toEqual({ a: ['1', '2'], b: ['3', '4'] });
    append('a', '5');
    expect(await readOf(again)).toEqual(['a:2']);
    expect(await readOf(start())).toEqual([]);
  });

  it('[GEN-69] reads a topic whole after a checkpoint that is lost or worth nothing', async () => {
    const whole = ['a:0', 'a:1', 'b:0'];
    await start()();
    folds.texts.clear();
    expect(await readOf(start())).toEqual(whole);
    expect(await readOf(start({ form: 2 }))).toEqual(whole);
    expect(await readOf(start())).toEqual(whole);
    records = records.slice(0, 1);
    expect(await readOf(start())).toEqual(['a:0']);
  });

  it('[GEN-69] reads topics whole that were made again, also while it runs', async () => {
    const running = start();
    await running();
    records = records.map((record) => ({ ...record, topicId: `${record.topic} again` }));
    expect(await readOf(running)).toEqual(['a:0', 'a:1', 'b:0']);
    expect(await running()).toEqual({ a: ['1', '2'], b: ['3'] });
    expect(await readOf(start())).toEqual([]);
  });

  it('goes on where the log has let its oldest records go', async () => {
    await start()();
    append('a', '6');
    records = records.filter(({ topic, offset }) => topic === 'b' || offset > 0n);
    const again = start();
    expect(await readOf(again)).toEqual(['a:2']);
    expect(await again()).toEqual({ a: ['1', '2', '6'], b: ['3'] });
  });

  it('counts nothing twice when reading breaks off in between', async () => {
    let isBroken = true;
    const broken = start({}, {
      rangeReader: {
        readRanges: (ranges, onRecords) => tail.rangeReader.readRanges(ranges, async (some) => {
          await onRecords(some);
          if (isBroken) throw new Unavailable('log_unavailable', 'consume', 'as the test asked');
        }),
      },
    });
    await expect(broken()).rejects.toThrow('log_unavailable');
    isBroken = false;
    expect(await broken()).toEqual({ a: ['1', '2'], b: ['3'] });
  });

  it('keeps no checkpoint that is too large, and works without a place for them', async () => {
    const running = start();
    await running();
    append('a', 'x'.repeat(CONFIG.bytesMax), 'y');
    await running();
    expect(await readOf(start())).toEqual(['a:2', 'a:3']);
    const away = async (): Promise<never> => {
      throw new Unavailable('state_unavailable', 'apply', 'as the test asked');
    };
    append('a', '7', '8');
    const without = start({ bytesMax: 9_999 }, { folds: { find: folds.find, keep: away } });
    expect((await without())['a']).toHaveLength(6);
  });
});
