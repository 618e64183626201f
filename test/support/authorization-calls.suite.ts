import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuthorizationCalls, CallCursor } from '../../services/kernel/authorization-calls.ts';
import { anAsk, aTry } from './authorization-facts.ts';

/** The port of one implementation under test. */
export interface OpenedCalls {
  readonly authorizationCalls: AuthorizationCalls;
  wipe(): Promise<void> | void;
  close(): Promise<void> | void;
}

/** What every implementation of the port about calls of carriers must do. */
export function authorizationCallsSuite(open: () => Promise<OpenedCalls>): void {
  let opened: OpenedCalls;
  let calls: AuthorizationCalls;
  beforeEach(async () => {
    opened = await open();
    calls = opened.authorizationCalls;
  });
  afterEach(() => opened.close());

  it('has a call due from its ask on, and takes it for one process at a time', async () => {
    const asked = anAsk(randomUUID());
    const now = asked.at_ms;
    await calls.apply([asked]);
    expect(await calls.takeDue(now - 1, 1_000, 10)).toEqual([]);
    expect(await calls.takeDue(now, 1_000, 10)).toEqual([asked.call_id]);
    expect(await calls.takeDue(now, 1_000, 10)).toEqual([]);
    expect(await calls.takeDue(now + 1_000, 1_000, 10)).toEqual([asked.call_id]);
    expect(await calls.load(asked.call_id)).toEqual({ asked, tried: undefined });
    expect(await calls.load('nobody')).toBeUndefined();
  });

  it('takes no more than it is asked for, the oldest first', async () => {
    const asks = [3, 1, 2].map((at) => anAsk(randomUUID(), { at_ms: at }));
    await calls.apply(asks);
    expect(await calls.takeDue(10, 1_000, 2)).toEqual([asks[1]?.call_id, asks[2]?.call_id]);
  });

  it('comes back when the next try is due, and never after the end', async () => {
    const asked = anAsk(randomUUID());
    const again = aTry(asked, 1);
    await calls.apply([asked, again]);
    expect(await calls.takeDue(asked.at_ms, 1, 10)).toEqual([]);
    expect(await calls.takeDue(asked.at_ms + 30_000, 1, 10)).toEqual([asked.call_id]);
    expect(await calls.load(asked.call_id)).toEqual({ asked, tried: again });
    const end = aTry(asked, 2, { outcome: 'authorized', tracking_number: 'RS1' });
    await calls.apply([end]);
    expect(await calls.takeDue(asked.at_ms * 2, 1, 10)).toEqual([]);
    expect((await calls.load(asked.call_id))?.tried).toEqual(end);
  });

  it('[PLT-10] lists calls by when they were asked for last, in a range and page by page', async () => {
    // Of a time that no other test uses, and not so long ago that calls are not kept.
    const start = Date.now() - 86_400_000 - Math.floor(Math.random() * 5e9);
    const asks = [1, 2, 3, 4].map((at) => anAsk(randomUUID(), { at_ms: start + at }));
    await calls.apply(asks);
    const again = { ...asks[0]!, round: 2, at_ms: start + 5 };
    await calls.apply([again, asks[0]!]);
    const list = async (since: number, until: number, limit: number): Promise<string[]> => {
      const found: string[] = [];
      let after: CallCursor | undefined;
      do {
        const range = { since_ms: start + since, until_ms: start + until };
        const page = await calls.list(range, after, limit);
        expect(page.calls.length).toBeLessThanOrEqual(limit);
        found.push(...page.calls.map(({ asked }) => asked.call_id));
        after = page.next;
      } while (after !== undefined);
      return found;
    };
    const [first, second, third, fourth] = asks.map(({ call_id }) => call_id);
    for (const limit of [1, 3, 500]) {
      expect(await list(0, 9, limit)).toEqual([first, fourth, third, second]);
    }
    expect(await list(2, 3, 500)).toEqual([third, second]);
    expect(await list(6, 9, 500)).toEqual([]);
  });

  it('begins again in the next round, and knows nothing of the tries before', async () => {
    const asked = anAsk(randomUUID());
    const next = { ...asked, round: 2, at_ms: asked.at_ms + 500 };
    await calls.apply([asked, aTry(asked, 10, { outcome: 'parked' }), next]);
    expect(await calls.load(asked.call_id)).toEqual({ asked: next, tried: undefined });
    expect(await calls.takeDue(next.at_ms, 1, 10)).toEqual([asked.call_id]);
  });

  it('ends in the same state in any order and repetition', async () => {
    const asked = anAsk(randomUUID());
    const parked = aTry(asked, 2, { outcome: 'parked' });
    const facts = [asked, aTry(asked, 1), aTry(asked, 2), parked, aTry(asked, 1)];
    await calls.apply(facts);
    const end = await calls.load(asked.call_id);
    expect(end?.tried).toEqual(parked);
    await calls.apply(facts.toReversed());
    expect(await calls.load(asked.call_id)).toEqual(end);
    expect(await calls.takeDue(asked.at_ms * 2, 1, 10)).toEqual([]);
  });

  it('keeps a tracking number, whatever a process says that took the call over meanwhile', async () => {
    const asked = anAsk(randomUUID());
    const end = aTry(asked, 1, { outcome: 'authorized', tracking_number: 'RS1' });
    await calls.apply([asked, aTry(asked, 2), end, aTry(asked, 10, { outcome: 'parked' })]);
    expect((await calls.load(asked.call_id))?.tried).toEqual(end);
    expect(await calls.takeDue(asked.at_ms * 2, 1, 10)).toEqual([]);
  });

  it('leaves a call alone that is in progress when its ask is applied once more', async () => {
    const asked = anAsk(randomUUID());
    await calls.apply([asked]);
    await calls.takeDue(asked.at_ms, 1_000, 10);
    await calls.apply([asked]);
    expect(await calls.takeDue(asked.at_ms, 1_000, 10)).toEqual([]);
    await calls.reschedule(asked.call_id, asked.at_ms + 7);
    expect(await calls.takeDue(asked.at_ms + 7, 1_000, 10)).toEqual([asked.call_id]);
    await calls.reschedule(asked.call_id, undefined);
    expect(await calls.takeDue(asked.at_ms * 2, 1_000, 10)).toEqual([]);
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await opened.wipe();
    await calls.apply([anAsk(randomUUID())]);
    await expect(calls.load('x')).rejects.toMatchObject({ code: 'state_not_ready' });
    await expect(calls.takeDue(1, 1, 1)).rejects.toMatchObject({ code: 'state_not_ready' });
  });
}
