import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createLargeBodies, type LargeBodies, type FinishLargeBody,
} from '../../../services/adapters/http/large-bodies.ts';

const LARGE = 1_000;

describe('calls with large bodies', () => {
  let queue: LargeBodies;
  let nowMs: number;
  let rests: { ms: number; act: () => void }[];
  let order: string[];
  const open = (): ServerResponse => new EventEmitter() as unknown as ServerResponse;
  const flush = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

  beforeEach(() => {
    [nowMs, rests, order] = [0, [], []];
    queue = createLargeBodies({ largeBodyBytesMin: LARGE, restRatio: 3, restMsMax: 500 }, {
      nowMs: () => nowMs, after: (ms, act) => { rests.push({ ms, act }); },
    });
  });

  /** Enters, and says when it is let in. */
  async function enter(
    name: string, client: string, response = open(),
  ): Promise<FinishLargeBody | undefined> {
    const leave = await queue.enter(client, LARGE, response);
    order.push(leave === undefined ? `${name} gone` : name);
    return leave;
  }

  it('are those from so many bytes on; others go on at once', () => {
    expect(queue.enter('a', LARGE - 1, open())).toBeUndefined();
    expect(queue.enter('a', LARGE, open())).toBeInstanceOf(Promise);
  });

  it('go one after the other, and rest for three times as long as they took', async () => {
    const leave = await enter('one', 'a');
    void enter('two', 'a');
    await flush();
    expect(order).toEqual(['one']);
    nowMs = 40;
    leave?.();
    leave?.();
    expect(rests.map(({ ms }) => ms)).toEqual([120]);
    await flush();
    expect(order).toEqual(['one']);
    rests[0]?.act();
    await flush();
    expect(order).toEqual(['one', 'two']);
  });

  it('rest for a bounded time', async () => {
    const leave = await enter('one', 'a');
    nowMs = 60_000;
    leave?.();
    expect(rests[0]?.ms).toBe(500);
  });

  it('[GEN-61] take turns by client, so that one with many delays another by one', async () => {
    const first = await enter('a1', 'a');
    const rest = [enter('a2', 'a'), enter('a3', 'a'), enter('b1', 'b')];
    first?.();
    for (let nth = 0; nth < rest.length; nth += 1) {
      rests[nth]?.act();
      await flush();
      void rest[[0, 2, 1][nth] ?? 0]?.then((leave) => leave?.());
      await flush();
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('leave the queue when their caller hangs up, and are free again when it is empty', async () => {
    const leave = await enter('one', 'a');
    const response = open();
    const second = enter('two', 'a', response);
    response.emit('close');
    await second;
    expect(order).toEqual(['one', 'two gone']);
    leave?.();
    rests[0]?.act();
    await enter('three', 'b');
    expect(order).toEqual(['one', 'two gone', 'three']);
  });
});
