import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRIPT_NAMES } from '../../../services/adapters/redis/script-runner.ts';
import { STATE_KINDS } from '../../../services/kernel/state-store.ts';
import type { Failpoint } from '../../faults/kinds/failpoints.ts';
import { killAt } from '../../faults/kinds/processes.ts';
import { playSchedule } from '../../faults/run/schedule.ts';

const SERVICES_DIR = join(import.meta.dirname, '..', '..', '..', 'services');

const sourceOf = (room: string): string => readdirSync(join(SERVICES_DIR, room))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(SERVICES_DIR, room, name), 'utf8')).join('\n');

describe('failpoints', () => {
  it('name steps that the product passes; another name does not compile', () => {
    const known: Failpoint = 'redis.after/commit-shipment';
    // @ts-expect-error A script of an earlier release.
    const script: Failpoint = 'redis.after/put-journeys';
    // @ts-expect-error No topic has this name.
    const topic: Failpoint = 'kafka.after-ack/rtt.positions.v1';
    // @ts-expect-error A failpoint is a step and what it is of.
    killAt('workers-1', 'put-journeys');
    expect([known, script, topic].map((text) => text.split('/').length)).toEqual([2, 2, 2]);
  });

  it.each(STATE_KINDS)('of a commit are of a kind that the product writes: %s', (kind) => {
    expect(sourceOf('state')).toContain(`kind: '${kind}'`);
  });

  it.each(SCRIPT_NAMES)('of a script are of one that the product runs: %s', (name) => {
    const users = sourceOf('adapters/redis').matchAll(new RegExp(`'${name}'(?!:)`, 'g'));
    expect([...users].length, 'calls beside its row').toBeGreaterThan(0);
  });
});

describe('a fault that waits for its chance', () => {
  const armed = (name: string, hasStruck: boolean) => ({
    atMs: 0, forMs: 1,
    fault: { name, target: 'workers-1', begin: () => undefined, hasStruck: () => hasStruck },
  });
  const env = {} as Parameters<typeof playSchedule>[2];
  const lines = {
    write: () => undefined, flushed: () => Promise.resolve(), close: () => Promise.resolve(),
  };

  it('is named when its chance never came, though others struck', async () => {
    const planned = [armed('kill at one', true), armed('kill at two', false)];
    expect(await playSchedule(planned, 10, env, lines, { chanceMsMax: 20 })).toEqual({
      armed: 2, missed: ['kill at two of workers-1'], errors: [],
    });
  });

  it('lasts from when it struck, and the next one of its target waits for it', async () => {
    const written: string[] = [];
    let polls = 0;
    const fault = (name: string) => ({
      name, target: 'workers-1', begin: () => { written.push(`begin ${name}`); },
      end: () => { written.push(`end ${name}`); },
    });
    await playSchedule([
      {
        atMs: 0, forMs: 1,
        fault: { ...fault('kill at one'), hasStruck: () => (polls += 1) > 2 },
      },
      { atMs: 2, forMs: 1, fault: fault('SIGTERM') },
    ], 10, env, lines, { chanceMsMax: 5_000 });
    expect(written).toEqual(['begin kill at one', 'end kill at one', 'begin SIGTERM', 'end SIGTERM']);
  });

  it('may miss it where its scenario says so', async () => {
    const planned = [{ ...armed('cut', false), mayMiss: true as const }];
    expect(await playSchedule(planned, 10, env, lines, { chanceMsMax: 20 }))
      .toEqual({ armed: 1, missed: [], errors: [] });
  });

  it('waits for the same fault of its target, which is slow to heal', async () => {
    const written: string[] = [];
    const { promise: healed, resolve: heal } = Promise.withResolvers<void>();
    const down = (nth: number) => ({
      name: 'down', target: 'registry',
      begin: () => { written.push(`begin ${nth}`); },
      end: async () => {
        if (nth === 1) await healed;
        written.push(`end ${nth}`);
      },
    });
    await playSchedule([
      { atMs: 0, forMs: 1, fault: down(1) },
      { atMs: 5, forMs: 1, fault: down(2) },
      { atMs: 20, forMs: 1, fault: { ...armed('other', true).fault, end: () => { heal(); } } },
    ], 50, env, lines);
    expect(written).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('does not begin after a signal, which ends early what has begun', async () => {
    const leaving = new AbortController();
    const written: string[] = [];
    const fault = (name: string) => ({
      name, target: name,
      begin: () => {
        written.push(`begin ${name}`);
        leaving.abort();
      },
      end: () => { written.push(`end ${name}`); },
    });
    const { errors } = await playSchedule([
      { atMs: 0, forMs: 600_000, fault: fault('first') },
      { atMs: 600_000, forMs: 1, fault: fault('second') },
    ], 900_000, env, lines, { leaving: leaving.signal });
    expect(written).toEqual(['begin first', 'end first']);
    expect(errors).toEqual(['A signal ended the run early.']);
  });
});
