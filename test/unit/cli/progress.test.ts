import { describe, expect, it } from 'vitest';
import { progressReport } from '../../../services/adapters/command-line/report-progress.ts';
import {
  reportingRangeReader, reportingReader,
} from '../../../services/kernel/reporting-reader.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const TOPIC = 't';
const RANGE = { topic: TOPIC, partition: 0, start: 100n, end: 500n };

/** A read of four batches of 100 records that takes so long for each. */
function slowRead(batchMs: number) {
  let nowMs = 1_000;
  const lines: string[] = [];
  const ports = { report: (line: string) => void lines.push(line), nowMs: () => nowMs };
  const read = async (onRecords: (records: never[]) => Promise<void>): Promise<void> => {
    for (let batch = 0; batch < 4; batch += 1) {
      nowMs += batchMs;
      await onRecords(Array.from({ length: 100 }, (_, at) => aLogRecord(TOPIC, at, {})) as never[]);
    }
  };
  return { lines, ports, read };
}

describe('a read of the log', () => {
  const wanted = [
    '200 of 400 records, 100 records/s, 2 s left', '400 of 400 records, 100 records/s, 0 s left', '',
  ];

  it('reports records, rate and the time that is left, when it takes over two seconds', async () => {
    const { lines, ports, read } = slowRead(1_000);
    const watch = { ranges: () => Promise.resolve([RANGE]) };
    const reader = reportingReader({ readToEnd: (_, use) => read(use) }, watch, ports);
    let seen = 0;
    await reader.readToEnd([TOPIC], (records) => Promise.resolve(void (seen += records.length)));
    expect(lines).toEqual(wanted);
    expect(seen).toBe(400);
  });

  it('does so for parts of it too, and for a total that it cannot know', async () => {
    const { lines, ports, read } = slowRead(1_000);
    const reader = reportingRangeReader(
      { readRanges: (_, use) => read(use), partitionOf: () => 0 }, ports,
    );
    await reader.readRanges([RANGE], () => Promise.resolve());
    expect(lines).toEqual(wanted);
    const other = slowRead(1_000);
    const watch = { ranges: () => Promise.reject(new Error('away')) };
    await reportingReader({ readToEnd: (_, use) => other.read(use) }, watch, other.ports)
      .readToEnd([TOPIC], () => Promise.resolve());
    expect(other.lines[0]).toBe('200 of 200 records, 100 records/s, 0 s left');
  });

  it('is quiet when it takes less', async () => {
    const { lines, ports, read } = slowRead(100);
    await reportingRangeReader({ readRanges: (_, use) => read(use), partitionOf: () => 0 }, ports)
      .readRanges([RANGE], () => Promise.resolve());
    expect(lines).toEqual(['']);
  });
});

describe('lines of progress', () => {
  const shown = (isTTY: boolean, asJson: boolean): string => {
    let text = '';
    const report = progressReport({ isTTY, write: (part) => { text += part; } }, asJson);
    for (const line of ['1 of 2', '2 of 2', '']) report(line);
    return text;
  };

  it('are one that changes on a terminal, which is empty at the end', () => {
    expect(shown(true, false)).toBe('\r\u001b[K1 of 2\r\u001b[K2 of 2\r\u001b[K');
  });

  it('are lines elsewhere, and none where a program reads errors as JSON', () => {
    expect(shown(false, false)).toBe('1 of 2\n2 of 2\n');
    expect(shown(false, true)).toBe('');
  });
});
