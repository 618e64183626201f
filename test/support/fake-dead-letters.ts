import { sha256 } from '../../services/adapters/secrets/secrets.ts';
import type { DeadLetterSource } from '../../services/gateways/operator/planned-replay.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import { createOpenDeadLetterLog, type OpenLimits } from '../../services/operator/dead-letters/open-log.ts';
import type { FakeRecordLog } from './fake-log.ts';
import { aLogRecord } from './fake-log-reader.ts';
import { fakeFoldSource, memoryFolds } from './fake-log-tail.ts';

/** Dead letters in memory, with the repairs that a log in memory takes. */
export interface FakeDeadLetters extends DeadLetterSource {
  /** A worker writes one of a record at this offset; gives its id. */
  add(topic: string, offset: number, change?: object): string;
  /** From now on the log does not answer, until it is found again. */
  lose(): void;
  find(): void;
}

const FRAMED = Buffer.from('\0\0\0\0\x07{"a":1}').toString('base64');
const PARTITIONS = 12;

/** Opens the dead letters of a log, read within these limits. */
export function fakeDeadLetters(log: FakeRecordLog, limits?: OpenLimits): FakeDeadLetters {
  const records: LogRecord[] = [];
  let atMs = 1_764_000_000_000;
  let isLost = false;
  const source = fakeFoldSource(() => {
    if (isLost) throw new Unavailable('log_unavailable', 'apply', 'as the test asked');
    return [...records, ...log.appended.map(({ topic, value, key }, at) => (
      aLogRecord(topic, at, value, { key })))];
  });
  return {
    ...source,
    open: createOpenDeadLetterLog({
      ...source, folds: memoryFolds(), signals: silentSignals, digest: sha256,
    }, limits),
    add(topic, offset, change = {}) {
      const partition = offset % PARTITIONS;
      const key = `key-${offset}`;
      records.push(aLogRecord('dead-letters.v1', records.length, {
        origin: { topic, topic_id: 'T', partition, offset, key: Buffer.from(key).toString('base64') },
        worker: 'table-writer', stage: 'insert', code: 'sink_rejected', detail: 'a column',
        headers: { client: '100000000000042', provider: 'acme' }, value: FRAMED,
        code_version: '1', at_ms: atMs += 1, ...change,
      }));
      return `T:${partition}:${offset}`;
    },
    lose() { isLost = true; },
    find() { isLost = false; },
  };
}
