import { beforeEach, describe, expect, it } from 'vitest';
import type { Code } from '../../../services/kernel/codes.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { createDueRunner, type DueRunner } from '../../../services/workers/parties/common/due-runner.ts';
import type {
  DueItem, DueRunnerConfig, DueWork, Next, PartyQueue,
} from '../../../services/workers/parties/common/due-work.ts';
import { DUE_STAGES } from '../../../services/workers/workers.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const LIMITS: DueRunnerConfig = {
  pollMs: 250, leaseMs: 60_000, inFlightMax: 8, inFlightMaxPerParty: 2, busyMs: 1_000,
  appendMsMax: 10_000,
};

interface Item extends DueItem {
  readonly name: string;
}

let nowMs: number;
/** Everything that happened, in order. */
let story: string[];
let stages: string[];
let crashes: unknown[];
let defects: Map<string, number>;
let due: Map<string, number>;
let failAt: { stage: string; code: Code } | undefined;
let hangsAt: ((item: Item) => Promise<void>) | undefined;
let next: Next<number> | undefined;

beforeEach(() => {
  nowMs = 1_000_000;
  [story, stages, crashes] = [[], [], []];
  [due, defects] = [new Map(), new Map()];
  [failAt, hangsAt] = [undefined, undefined];
  next = { dueMs: undefined };
});

async function happens(stage: string, what: string): Promise<void> {
  story.push(`${stage} ${what}`);
  if (failAt?.stage === stage) throw new Unavailable(failAt.code, 'decide', 'as the test wants');
  await Promise.resolve();
}

/** A queue of names; without a party of its own, the word before a dash names one. */
function queueOf(partyId?: string): PartyQueue<Item, number> {
  const isOurs = (name: string): boolean => partyId === undefined || name.startsWith(partyId);
  return {
    ...(partyId === undefined ? {} : { partyId }),
    async takeDue(now, leaseMs, itemsMax) {
      const names = [...due].filter(([name, ms]) => ms <= now && isOurs(name))
        .map(([name]) => name).slice(0, itemsMax);
      await happens('take-due', `${partyId ?? 'all'} ${names.join()}`);
      for (const name of names) due.set(name, now + leaseMs);
      return names;
    },
    async load(name) {
      await happens('load', name);
      const dueMs = name.startsWith('later') ? nowMs + 5_000 : undefined;
      if (name.startsWith('later') || name.startsWith('gone')) return { dueMs };
      return { partyId: name.split('-')[0] ?? '', name };
    },
    async reschedule(name, { dueMs }) {
      await Promise.resolve();
      story.push(`reschedule ${name} ${dueMs === undefined ? 'never' : dueMs - nowMs}`);
      if (dueMs === undefined) due.delete(name);
      else due.set(name, dueMs);
    },
    onFailed: (name, { code }) => { story.push(`failed ${name} ${code}`); },
  };
}

function runner(
  queues: () => readonly PartyQueue<Item, number>[] = () => [queueOf()],
  change: Partial<DueWork<Item, string, number>> = {},
): DueRunner {
  return createDueRunner('parties.feeds', LIMITS, {
    queues: async () => queues(),
    async request(item) {
      await happens('request', item.name);
      await hangsAt?.(item);
      return 'answer';
    },
    async record({ name }, answer, deadlineMs) {
      await happens('record', `${name} ${answer} until ${deadlineMs - nowMs}`);
      return next;
    },
    onPolled: (inFlight) => { story.push(`polled ${inFlight}`); },
    onPollFailed: ({ code }) => { story.push(`poll failed ${code}`); },
    ...change,
  }, {
    clock: { nowMs: () => nowMs },
    pause: () => new Promise((resolve) => { setTimeout(resolve, 1); }),
    signals: fakeSignals({
      metric: (name, _value, { stage, code }) => {
        if (name === 'rastro_worker_stage_seconds') stages.push(`${String(stage)} ${String(code)}`);
      },
    }),
    onCrash: (error) => { crashes.push(error); },
    itemDefects: memoryItemDefects(defects),
  });
}

const put = (...names: string[]): void => { for (const name of names) due.set(name, nowMs); };
const requested = (): string[] => story.filter((each) => each.startsWith('request '));

describe('[GEN-49] an item at which a defect ends the process', () => {
  const broken = { request: () => Promise.reject(new TypeError('a defect')) };

  it('is set aside after three ends, and its neighbours go on', async () => {
    put('a-1');
    for (let process = 0; process < 3; process += 1) {
      await runner(undefined, broken).poll();
      nowMs += LIMITS.leaseMs;
    }
    expect(crashes).toHaveLength(3);
    expect([...defects]).toEqual([['a-1', 3]]);
    put('b-1');
    await runner().poll();
    expect(crashes).toHaveLength(3);
    expect(story).toContain('failed a-1 defect');
    expect(due.get('a-1')).toBe(nowMs + 3_600_000);
    expect(requested()).toEqual(['request b-1']);
  });

  it('is not one that meets an outage', async () => {
    put('a-1');
    failAt = { stage: 'request', code: 'state_unavailable' };
    await runner().poll();
    expect(defects.size).toBe(0);
  });

  it('is tried as ever when there are too many of them: then the release is bad', async () => {
    for (let nth = 0; nth < 11; nth += 1) defects.set(`a-${nth}`, 3);
    put('a-1');
    await runner().poll();
    expect(requested()).toEqual(['request a-1']);
  });
});

describe('the runner of due queues', () => {
  it('runs an item through the stages of the table, in their order, and completes it', async () => {
    put('a-1');
    await runner().poll();
    expect(story).toEqual([
      'take-due all a-1', 'polled 1', 'load a-1', 'request a-1', 'record a-1 answer until 10000',
      'reschedule a-1 never',
    ]);
    expect(stages).toEqual(DUE_STAGES.map(({ name }) => `${name} none`));
    expect(due.size).toBe(0);
  });

  it('reschedules what is not due yet, and requests nothing for it', async () => {
    put('later-1', 'gone-1');
    await runner().poll();
    expect(story).toContain('reschedule later-1 5000');
    expect(story).toContain('reschedule gone-1 never');
    expect(requested()).toEqual([]);
  });

  it('reschedules nothing that recording has rescheduled', async () => {
    next = undefined;
    put('a-1');
    await runner().poll();
    expect(story.filter((each) => each.startsWith('reschedule'))).toEqual([]);
  });

  it('reports the end of an attempt when its due time is stored', async () => {
    next = { dueMs: nowMs + 7, report: () => { story.push('reported'); } };
    put('a-1');
    await runner().poll();
    expect(story.slice(-2)).toEqual(['reschedule a-1 7', 'reported']);
  });

  const failures = DUE_STAGES.slice(1).flatMap(({ name, codes }) => (
    codes.map((code) => [name, code] as const)
  ));
  it.each(failures)('leaves an item to its lease when %s fails with %s', async (stage, code) => {
    failAt = { stage, code };
    put('a-1');
    const worker = runner();
    await worker.poll();
    expect(story.at(-1)).toBe(`failed a-1 ${code}`);
    expect(stages.at(-1)).toBe(`${stage} ${code}`);
    expect(due.get('a-1')).toBe(nowMs + LIMITS.leaseMs);
    failAt = undefined;
    nowMs += LIMITS.leaseMs;
    await worker.poll();
    expect(due.size).toBe(0);
    expect(crashes).toEqual([]);
  });

  it('ends the process over a defect, once, and lets go of the slot', async () => {
    put('a-1');
    const worker = runner(undefined, { request: () => { throw new TypeError('a defect'); } });
    await worker.poll();
    expect(crashes).toHaveLength(1);
    expect(stages.at(-1)).toBe('request internal');
  });

  it.each([
    ['of one queue', () => [queueOf()]],
    ['of a queue for each party', () => [queueOf('a'), queueOf('b')]],
  ])('lets a party that hangs have no more than its slots, %s', async (_of, queues) => {
    const ends: (() => void)[] = [];
    hangsAt = (item) => (item.partyId === 'a'
      ? new Promise((resolve) => { ends.push(resolve); })
      : Promise.resolve());
    put('a-1', 'a-2', 'a-3', 'b-1');
    const polling = runner(queues).poll();
    await expect.poll(() => requested().length).toBe(3);
    expect(requested().sort()).toEqual(['request a-1', 'request a-2', 'request b-1']);
    await expect.poll(() => due.has('b-1')).toBe(false);
    const wait = (due.get('a-3') ?? 0) - nowMs;
    expect([0, LIMITS.busyMs]).toContain(wait);
    for (const end of ends) end();
    await polling;
    expect(due.has('a-1')).toBe(false);
  });

  it('takes no more than fits into the process', async () => {
    const ends: (() => void)[] = [];
    hangsAt = () => new Promise((resolve) => { ends.push(resolve); });
    const names = Array.from({ length: 12 }, (_, at) => `p${at}-1`);
    put(...names);
    const worker = runner();
    const polling = worker.poll();
    await expect.poll(() => requested().length).toBe(LIMITS.inFlightMax);
    const again = worker.poll();
    await expect.poll(() => story.filter((each) => each.startsWith('polled')).length).toBe(2);
    expect(requested()).toHaveLength(LIMITS.inFlightMax);
    for (const end of ends) end();
    await Promise.all([polling, again]);
  });

  it('leaves a party alone for as long as it asked, and forgets a party that is gone', async () => {
    next = { dueMs: nowMs, holdMs: 1_000 };
    put('a-1');
    let parties = ['a', 'b'];
    const worker = runner(() => parties.map((each) => queueOf(each)));
    await worker.poll();
    put('a-2', 'b-2');
    nowMs += 999;
    await worker.poll();
    expect(requested()).toEqual(['request a-1', 'request b-2']);
    nowMs += 1;
    next = { dueMs: undefined, holdMs: 60_000 };
    await worker.poll();
    expect(requested()).toContain('request a-2');
    parties = ['b'];
    await worker.poll();
    parties = ['a'];
    put('a-3');
    await worker.poll();
    expect(requested()).toContain('request a-3');
  });

  it('begins each poll with another queue', async () => {
    const worker = runner(() => ['a', 'b', 'c'].map((each) => queueOf(each)));
    for (let poll = 0; poll < 3; poll += 1) await worker.poll();
    const order = story.filter((each) => each.startsWith('take-due')).map((each) => each[9]);
    expect(order.join('')).toBe('bcacababc');
  });

  it('polls again after a queue failed, and stops when all that it took has ended', async () => {
    failAt = { stage: 'take-due', code: 'state_unavailable' };
    let end = (): void => undefined;
    hangsAt = () => new Promise((resolve) => { end = resolve; });
    put('a-1');
    const worker = runner();
    worker.start();
    await expect.poll(() => story).toContain('poll failed state_unavailable');
    failAt = undefined;
    await expect.poll(() => requested().length).toBe(1);
    let isStopped = false;
    const stopping = worker.stop().then(() => { isStopped = true; });
    put('a-2');
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    expect(isStopped).toBe(false);
    end();
    await stopping;
    expect(requested()).toEqual(['request a-1']);
    expect(story.at(-1)).toBe('reschedule a-1 never');
  });
});
