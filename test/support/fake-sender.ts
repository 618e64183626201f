import { BatchRefused, type PartitionSender } from
  '../../services/adapters/kafka/append/sender.ts';
import type { FramedRecord } from '../../services/adapters/kafka/frame.ts';

/** The outcome of one send: in the log and answered, in the log only, not there, never taken. */
export type SendOutcome = 'acked' | 'answer-lost' | 'not-written' | 'refused';

/** One send that waits for the test to decide about it. */
export interface OpenSend {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly FramedRecord[];
  complete(outcome: SendOutcome): void;
}

/**
 * A sender whose broker is as unforgiving as kafkajs makes a real one: while the outcome of a
 * batch is
 * unknown, anything but the very same batch breaks a rule, and is written down as such.
 */
export interface FakeSender extends PartitionSender {
  readonly open: readonly OpenSend[];
  /** Values in the log by partition; a batch that goes again is there once. */
  log(partition: number): readonly string[];
  readonly broken: readonly string[];
  sends(): number;
}

/** Makes a sender in memory; every send stays open until the test completes it. */
export function fakeSender(): FakeSender {
  const open: OpenSend[] = [];
  const logs = new Map<number, string[]>();
  const unknown = new Map<number, { values: readonly string[]; written: boolean }>();
  const broken: string[] = [];
  let count = 0;

  function check(partition: number, values: readonly string[]): boolean {
    if (open.some((send) => send.partition === partition)) broken.push('two sends in flight');
    const rejected = unknown.get(partition);
    if (rejected === undefined) return false;
    const same = rejected.values.length === values.length
      && rejected.values.every((value, index) => value === values[index]);
    if (!same) broken.push(`${values.join()} after the rejected ${rejected.values.join()}`);
    return rejected.written;
  }

  return {
    open,
    broken,
    sends: () => count,
    log: (partition) => logs.get(partition) ?? [],
    close: async () => undefined,
    send(topic, partition, records) {
      count += 1;
      const values = records.map(({ json }) => Buffer.from(json).toString());
      const wasWritten = check(partition, values);
      return new Promise((resolve, reject) => {
        const send: OpenSend = {
          topic,
          partition,
          records,
          complete(outcome) {
            open.splice(open.indexOf(send), 1);
            unknown.delete(partition);
            const writes = outcome === 'acked' || outcome === 'answer-lost';
            if (writes && !wasWritten) {
              logs.set(partition, [...logs.get(partition) ?? [], ...values]);
            }
            if (outcome === 'acked') resolve();
            else if (outcome === 'refused') {
              reject(new BatchRefused('MESSAGE_TOO_LARGE', undefined));
            } else {
              unknown.set(partition, { values, written: writes || wasWritten });
              reject(new Error(outcome));
            }
          },
        };
        open.push(send);
      });
    },
  };
}
