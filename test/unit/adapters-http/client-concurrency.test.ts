import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClientConcurrency, type Slot } from '../../../services/adapters/http/client-concurrency.ts';

const CLIENT_CONCURRENCY = { clientCallsMax: 2, activeMs: 1_000, parkedMsMax: 500, parkedMax: 4 };

beforeEach(() => { vi.useFakeTimers({ now: 1_764_000_000_000 }); });
afterEach(() => { vi.useRealTimers(); });

interface Call {
  readonly slot: Slot;
  readonly response: ServerResponse;
}

/** A gateway where clients call by their names, which are their tokens, and whose calls began. */
function opened(known: readonly string[] = ['loud', 'quiet']): {
  readonly call: (name: string, client?: string) => Call;
  readonly began: () => readonly string[];
} {
  const takeSlot = createClientConcurrency(CLIENT_CONCURRENCY, { nowMs: () => Date.now() });
  const began: string[] = [];
  function call(name: string, client = 'loud'): Call {
    const response = new EventEmitter() as unknown as ServerResponse;
    const slot = takeSlot(`token of ${client}`, response);
    if (slot.begins === undefined) began.push(name);
    else void slot.begins.then(() => { began.push(`${name}, parked`); });
    return { slot, response };
  }
  for (const name of known) call(name, name).slot.end(name);
  began.length = 0;
  return { call, began: () => began };
}

const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('turns of clients', () => {
  it('let a client who calls alone have as many calls in progress as it likes', () => {
    const { call, began } = opened();
    for (let nth = 0; nth < 9; nth += 1) call(String(nth));
    expect(began()).toHaveLength(9);
  });

  it('park what one client has too many of while another calls, and nothing of the other', async () => {
    const { call, began } = opened();
    call('q', 'quiet');
    const [first, second] = [call('0'), call('1')];
    for (const name of ['2', '3']) call(name);
    call('r', 'quiet');
    expect(began()).toEqual(['q', '0', '1', 'r']);
    first.slot.end('loud');
    await soon();
    expect(began().slice(4)).toEqual(['2, parked']);
    second.slot.end('loud');
    await soon();
    expect(began().slice(5)).toEqual(['3, parked']);
  });

  it('go on with all that is parked when a call ends and the others have long been silent', async () => {
    const { call, began } = opened();
    call('q', 'quiet');
    const first = call('0');
    await vi.advanceTimersByTimeAsync(CLIENT_CONCURRENCY.activeMs - 1);
    for (const name of ['1', '2', '3']) call(name);
    expect(began()).toEqual(['q', '0', '1']);
    await vi.advanceTimersByTimeAsync(2);
    first.slot.end('loud');
    await soon();
    expect(began().slice(3)).toEqual(['2, parked', '3, parked']);
  });

  it('count another as calling up to the time that is set, and not longer', async () => {
    const { call, began } = opened();
    call('q', 'quiet');
    await vi.advanceTimersByTimeAsync(CLIENT_CONCURRENCY.activeMs);
    for (const name of ['0', '1', '2']) call(name);
    expect(began()).not.toContain('2');
    await vi.advanceTimersByTimeAsync(1);
    call('3');
    expect(began()).toContain('3');
  });

  it('park no call for long', async () => {
    const { call, began } = opened();
    call('q', 'quiet');
    for (const name of ['0', '1', '2']) call(name);
    await vi.advanceTimersByTimeAsync(CLIENT_CONCURRENCY.parkedMsMax - 1);
    expect(began()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(began().at(-1)).toBe('2, parked');
  });

  it('park only so many calls of all', () => {
    const { call, began } = opened();
    call('q', 'quiet');
    for (let nth = 0; nth < 2 + CLIENT_CONCURRENCY.parkedMax; nth += 1) call(String(nth));
    expect(began()).toHaveLength(3);
    call('over');
    expect(began().at(-1)).toBe('over');
  });

  it('skip a caller that hung up', async () => {
    const { call, began } = opened();
    call('q', 'quiet');
    const first = call('0');
    call('1');
    const gone = call('2');
    call('3');
    gone.response.emit('close');
    await soon();
    expect(began().slice(3)).toEqual(['2, parked']);
    gone.slot.end(undefined);
    await soon();
    expect(began()).toHaveLength(4);
    first.slot.end('loud');
    await soon();
    expect(began().at(-1)).toBe('3, parked');
  });

  it('know a client by its tokens once admission knew them, and strangers by nothing', async () => {
    const { call, began } = opened(['quiet']);
    call('q', 'quiet');
    const [first, second] = [call('0', 'a new one'), call('1', 'another new one')];
    call('2', 'a third');
    expect(began()).toEqual(['q', '0', '1']);
    first.slot.end('loud');
    second.slot.end('loud');
    await soon();
    for (const name of ['3', '4']) call(name, 'a new one');
    call('5', 'another new one');
    expect(began().slice(3)).toEqual(['2, parked', '3', '4']);
  });

  it('do not linger for strangers', () => {
    const { call, began } = opened(['loud']);
    call('s', 'never seen');
    for (const name of ['0', '1', '2']) call(name);
    expect(began()).toContain('2');
  });
});
