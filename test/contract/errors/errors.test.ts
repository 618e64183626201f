import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { realOf, WRITING } from '../../support/dry-runs.ts';
import type { WholeEdge } from '../../support/whole-edge.ts';
import { WRONG_CALLS } from './all-calls.ts';
import { openGateway } from './open-gateway.ts';
import { errorTable } from './page.ts';
import { faultsOfQuality, unshownNames } from './quality.ts';
import { readAnswer, type SaidAnswer } from './read-answer.ts';
import { REVIEW } from './review.ts';
import { sendCall, valueSent } from './send-call.ts';
import {
  canBeTried, NOTHING_STORED, tryCall, withoutIds, type TriedCall,
} from './try-call.ts';

/** The reference provider serves it; its answers are those of `unit/provider/commands`. */
const SERVED_ELSEWHERE = 'provider-command';

let at: WholeEdge;
const answers = new Map<string, SaidAnswer>();
const tries = new Map<string, TriedCall>();
beforeAll(async () => {
  at = await openGateway();
  for (const call of WRONG_CALLS) {
    if (canBeTried(call)) tries.set(call.id, await tryCall(at, call));
    answers.set(call.id, readAnswer(await sendCall(at, call)));
  }
}, 240_000);
afterAll(() => at.close());

const rows = WRONG_CALLS.map((call) => [call.id, call.mistake, call] as const);
const answerTo = (id: string): SaidAnswer => {
  const said = answers.get(id);
  if (said === undefined) throw new Error(`${id} was not answered.`);
  return said;
};

describe('a wrong call', () => {
  it.each(rows)('%s, %s, is answered as its row says', (id, _mistake, { answer, hides = [] }) => {
    const said = answerTo(id);
    expect(said.status, said.whole).toBe(answer.status);
    if (answer.code !== undefined) expect(said.code).toBe(answer.code);
    const pointers = said.faults.map(({ pointer }) => pointer);
    if (answer.at !== undefined) expect(pointers).toEqual(answer.at);
    for (const sentence of answer.says) expect(said.whole).toContain(sentence);
    for (const text of hides) expect(said.whole).not.toContain(text);
  });

  it.each(rows)('%s, %s, is answered so that a stranger can act on it', (id, _mistake, call) => {
    const said = answerTo(id);
    expect(faultsOfQuality(said)).toEqual([]);
    expect(unshownNames(valueSent(call), said)).toEqual([]);
  });

  it('leads to a page about its code', async () => {
    const types = new Set([...answers.values()].flatMap(({ type }) => (
      type === undefined ? [] : [type])));
    expect(types.size).toBeGreaterThan(25);
    for (const type of types) {
      const page = await fetch(at.edge.url + type);
      expect([page.status, page.headers.get('content-type')], type)
        .toEqual([200, 'text/html; charset=utf-8']);
      await page.text();
    }
  });
});

describe('the dry run of a wrong call', () => {
  const tried = WRONG_CALLS.filter(canBeTried)
    .map((call) => [call.id, call.mistake, call] as const);

  it('is there for every operation that writes', () => {
    expect(new Set(tried.map(([, , { to }]) => to))).toEqual(new Set(WRITING));
  });

  it.each(tried)('%s, %s, is refused as the call is, and stores nothing', (id) => {
    const { said, stored } = tries.get(id) as TriedCall;
    expect(stored).toBe(0);
    const call = answerTo(id);
    if (call.status < 300) expect(said).toMatchObject({ status: 200, detail: NOTHING_STORED });
    else expect(withoutIds(said)).toEqual(withoutIds(call));
  });

  const warned = WRONG_CALLS.filter(({ warns }) => warns !== undefined);

  it.each(warned.map((call) => [call.id, call] as const))(
    '%s, which is taken, warns', (id, { warns = [] }) => {
      expect((tries.get(id) as TriedCall).warnings.map(({ code, pointer }) => `${code} ${pointer}`))
        .toEqual(expect.arrayContaining([...warns]));
    },
  );

  it('warns of every mistake about which the call itself is silent', () => {
    const silent = WRONG_CALLS.filter(({ review }) => review === 'silent');
    expect(silent).toHaveLength(7);
    expect(silent.filter(({ warns = [] }) => warns.length === 0)).toEqual([]);
  });
});

describe('the table of wrong calls', () => {
  it('has every operation of the gateways', () => {
    const called = new Set(WRONG_CALLS.map(({ to }) => to));
    const ours = Object.keys(OPERATIONS).filter((id) => realOf(id) === id);
    expect(ours.filter((id) => !called.has(id))).toEqual([SERVED_ELSEWHERE]);
  });

  it('has the calls of the review, and more of our own', () => {
    const groups = WRONG_CALLS.flatMap(({ review }) => review ?? []);
    expect(groups.length).toBeGreaterThanOrEqual(115);
    expect(new Set(groups)).toEqual(new Set(Object.keys(REVIEW)));
    expect(WRONG_CALLS.length - groups.length).toBeGreaterThanOrEqual(60);
    expect(new Set(WRONG_CALLS.map(({ id }) => id)).size).toBe(WRONG_CALLS.length);
  });

  it('says of each call whose answer is not enough why it is so', () => {
    const silent = WRONG_CALLS.filter(({ grade, why }) => (grade === 'A') !== (why === undefined));
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('is the page of the reference', async () => {
    const page = `${import.meta.dirname}/../../../docs/reference/error-table.md`;
    await expect(errorTable(answers, tries)).toMatchFileSnapshot(page);
  });
});
