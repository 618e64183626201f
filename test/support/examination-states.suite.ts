import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ASKS_PER_HOUR_MAX } from '../../services/domain/examination/examination.ts';
import type { AddressExamination, Examinations, ExaminedCheck } from '../../services/kernel/examinations.ts';

/** The port of one implementation under test. */
export interface OpenedExaminations {
  readonly examinations: Examinations;
  close(): Promise<void>;
}

const CLIENT = '100000000000042';
const DAY_MS = 86_400_000;

const aCheck = (id: string): ExaminedCheck => (
  { id, title: `It is ${id}`, level: 'must', outcome: 'passed', reasons: [] });

/** What every implementation of the port Examinations must do. */
export function examinationStatesSuite(open: () => Promise<OpenedExaminations>): void {
  let states: OpenedExaminations;
  let partyId: string;
  beforeEach(async () => {
    states = await open();
    partyId = `party-${randomUUID()}`;
  });
  afterEach(() => states.close());

  const ask = (run: string = randomUUID()) => (
    states.examinations.ask({ partyId, clientId: CLIENT, country: 'UY', run }));
  const newest = async (): Promise<AddressExamination> => {
    const [found] = await states.examinations.find([partyId]);
    if (found === undefined) throw new Error('none is there');
    return found;
  };

  it('keeps who asked, and makes the party due once', async () => {
    const asked = await ask('run-1');
    expect(asked).toMatchObject({ kind: 'asked', examination: { partyId, run: 'run-1', checks: [] } });
    expect(await newest()).toMatchObject({ clientId: CLIENT, country: 'UY', run: 'run-1', checks: [] });
    const { examinations } = states;
    const untilMs = (await newest()).askedAtMs + DAY_MS;
    expect(await examinations.takeDue(untilMs, 60_000, 1_000)).toContain(partyId);
    expect(await examinations.takeDue(untilMs, 60_000, 1_000)).not.toContain(partyId);
    await examinations.reschedule(partyId, undefined);
    expect(await examinations.takeDue(untilMs + DAY_MS, 60_000, 1_000)).not.toContain(partyId);
  });

  it('lets one run of a party be in progress, also of many that are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(answers.filter(({ kind }) => kind === 'asked')).toHaveLength(1);
    const [wait] = answers.filter((each) => each.kind === 'wait');
    expect(wait).toMatchObject({ because: 'in_progress' });
    expect(wait?.retryAfterSeconds).toBeGreaterThan(0);
    expect(wait?.retryAfterSeconds).toBeLessThanOrEqual(180);
  });

  it('begins a run once, keeps its checks in their order, and ends it once', async () => {
    await ask();
    const run = await newest();
    const { examinations } = states;
    expect(await examinations.begin(run, 12)).toBe(true);
    expect(await examinations.begin(run, 12)).toBe(false);
    const names = Array.from({ length: 12 }, (_, at) => `check-${at}`);
    for (const name of names) await examinations.add(run, aCheck(name));
    await examinations.end(run, 'for a reason');
    await examinations.add(run, aCheck('late'));
    await examinations.end(run, 'for another one');
    const ended = await newest();
    expect(ended.checks.map(({ id }) => id)).toEqual(names);
    expect(ended).toMatchObject({ planned: 12, stopped: 'for a reason' });
    expect(ended.endedAtMs).toBeGreaterThanOrEqual(ended.startedAtMs ?? Infinity);
  });

  it('has nothing of a run in the next one, also of a process that is late with it', async () => {
    await ask();
    const first = await newest();
    await states.examinations.begin(first, 2);
    await states.examinations.add(first, aCheck('old'));
    await states.examinations.end(first, 'it was stopped');
    await ask();
    await states.examinations.add(first, aCheck('late'));
    await states.examinations.end(first, 'late');
    const { endedAtMs, startedAtMs, stopped, planned, checks } = await newest();
    expect([endedAtMs, startedAtMs, stopped, planned, checks])
      .toEqual([undefined, undefined, undefined, undefined, []]);
  });

  it('lets so many begin in an hour, and says when there may be another one', async () => {
    for (let times = 0; times < ASKS_PER_HOUR_MAX; times += 1) {
      expect(await ask()).toMatchObject({ kind: 'asked' });
      await states.examinations.end(await newest(), undefined);
    }
    const refused = await ask();
    expect(refused).toMatchObject({ kind: 'wait', because: 'hour' });
    if (refused.kind !== 'wait') return;
    expect(refused.retryAfterSeconds).toBeGreaterThan(3_500);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(3_600);
    const other = `party-${randomUUID()}`;
    expect(await states.examinations.ask({ partyId: other, clientId: CLIENT, country: 'UY', run: 'r' }))
      .toMatchObject({ kind: 'asked' });
  });
}
