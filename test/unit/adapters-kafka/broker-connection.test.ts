import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ResponseError, type Connection } from '@platformatic/kafka';
import { openBrokerConnection } from '../../../services/adapters/kafka/clients/broker-connection.ts';
import { reasonsOf } from '../../../services/adapters/kafka/errors.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const GATHER_MS = 20;
const NOT_LEADER = 6;

type Callback = (error: Error | null, answer?: unknown) => void;

/** A broker that answers when the test says so, over as many connections as are asked for. */
function open() {
  const requests: { readonly connection: number; readonly answer: Callback }[] = [];
  let connections = 0;
  const closed: number[] = [];
  const broker = openBrokerConnection(async () => {
    const number = connections;
    connections += 1;
    return {
      isConnected: () => !closed.includes(number),
      close: async () => { closed.push(number); },
      send: (...args: unknown[]) => {
        requests.push({ connection: number, answer: args.at(-1) as Callback });
      },
    } as unknown as Connection;
  }, { requestMsMax: 1_000, gatherMsMax: GATHER_MS });
  const outcomes: Record<number, string> = {};
  const send = (partition: number): void => {
    broker.send({ topic: 't', partition, batch: Buffer.from('b') }).then(
      () => { outcomes[partition] = 'taken'; },
      (error: unknown) => { outcomes[partition] = reasonsOf(error)[0] ?? 'unknown'; },
    );
  };
  const nextTick = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return { broker, requests, closed, outcomes, send, nextTick, connections: () => connections };
}

/** What the broker says of partitions, by their error codes. */
function said(codes: Readonly<Record<number, number>>) {
  return { responses: [{
    name: 't',
    partitionResponses: Object.entries(codes).map(([index, errorCode]) => (
      { index: Number(index), errorCode }
    )),
  }] };
}

describe('the way to a broker', () => {
  it('takes batches of several partitions with one request', async () => {
    const { requests, outcomes, send, nextTick } = open();
    for (const partition of [0, 1, 2]) send(partition);
    await nextTick();
    expect(requests).toHaveLength(1);
    requests[0]?.answer(null, said({ 0: 0, 1: 0, 2: 0 }));
    await nextTick();
    expect(outcomes).toEqual({ 0: 'taken', 1: 'taken', 2: 'taken' });
  });

  it('lets others gather while a request is in progress, and go when it is answered', async () => {
    const { broker, requests, send, nextTick, connections } = open();
    expect(broker.room()).toBeUndefined();
    send(0);
    await nextTick();
    let isFree = false;
    void broker.room()?.then(() => { isFree = true; });
    await vi.advanceTimersByTimeAsync(GATHER_MS - 1);
    expect(isFree).toBe(false);
    requests[0]?.answer(null, said({ 0: 0 }));
    await nextTick();
    expect(isFree).toBe(true);
    expect(broker.room()).toBeUndefined();
    send(1);
    await nextTick();
    expect(connections()).toBe(1);
  });

  it('goes over another connection when a request is not answered for long', async () => {
    const { broker, requests, outcomes, send, nextTick } = open();
    send(0);
    await nextTick();
    await vi.advanceTimersByTimeAsync(GATHER_MS);
    expect(broker.room()).toBeUndefined();
    send(1);
    await nextTick();
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1]);
    requests[1]?.answer(null, said({ 1: 0 }));
    await nextTick();
    expect(outcomes).toEqual({ 1: 'taken' });
    requests[0]?.answer(null, said({ 0: 0 }));
    await nextTick();
    expect(outcomes).toEqual({ 0: 'taken', 1: 'taken' });
  });

  it('gives each partition the result of its own batch', async () => {
    const { requests, outcomes, send, nextTick, closed } = open();
    for (const partition of [0, 1, 2]) send(partition);
    await nextTick();
    requests[0]?.answer(new ResponseError(0, 9, {
      '/responses/0/partition_responses/1': [NOT_LEADER, null],
    }, said({ 0: 0, 1: NOT_LEADER })));
    await nextTick();
    expect(outcomes).toEqual({
      0: 'taken', 1: 'NOT_LEADER_OR_FOLLOWER', 2: 'PARTITION_UNANSWERED',
    });
    expect(closed).toEqual([]);
  });

  it('knows nothing of any batch when the connection breaks, and opens another', async () => {
    const { requests, outcomes, send, nextTick, closed, connections } = open();
    for (const partition of [0, 1]) send(partition);
    await nextTick();
    requests[0]?.answer(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    await nextTick();
    expect(outcomes).toEqual({ 0: 'ECONNRESET', 1: 'ECONNRESET' });
    expect(closed).toEqual([0]);
    send(0);
    await nextTick();
    expect(connections()).toBe(2);
  });
});
