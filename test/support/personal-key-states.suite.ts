import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PersonalKeyEvent, PersonalKeyStates } from '../../services/kernel/personal.ts';

const key = (id: string) => ({ id, wrapped: `k1.${id}` });
const ANNA = 'shipment:RST1';
const BELA = 'device:d-2';

const recorded = (subject: string, key_id: string, at_ms: number): PersonalKeyEvent => (
  { type: 'PersonalKeyRecorded', subject, key_id, wrapped: `k1.${key_id}`, at_ms }
);

/** What every store of keys of personal data does, in memory and in Redis. */
export function personalKeyStatesSuite(
  open: () => Promise<{ readonly personalKeys: PersonalKeyStates; close(): Promise<void> }>,
): void {
  describe('keys of personal data', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let states: PersonalKeyStates;
    beforeEach(async () => {
      opened = await open();
      states = opened.personalKeys;
    });
    afterEach(() => opened.close());

    it('has none until one is offered, and the first offer stays', async () => {
      expect(await states.find([ANNA, BELA])).toEqual([{ kind: 'none' }, { kind: 'none' }]);
      expect(await states.offer([{ subject: ANNA, key: key('a') }]))
        .toEqual([{ kind: 'offered', key: key('a') }]);
      expect(await states.offer([
        { subject: ANNA, key: key('b') }, { subject: BELA, key: key('c') },
      ])).toEqual([
        { kind: 'offered', key: key('a') }, { kind: 'offered', key: key('c') },
      ]);
      // What is only offered is not in the log yet, and opens nothing.
      expect(await states.find([ANNA])).toEqual([{ kind: 'none' }]);
    });

    it('uses a key once it is confirmed, and a second one beside it', async () => {
      await states.offer([{ subject: ANNA, key: key('a') }]);
      const first = recorded(ANNA, 'a', 10);
      const second = recorded(ANNA, 'b', 20);
      if (first.type !== 'PersonalKeyRecorded' || second.type !== 'PersonalKeyRecorded') return;
      const has = { kind: 'keys', current: 'a', keys: [key('a')] };
      expect(await states.confirm([first])).toEqual([has]);
      expect(await states.offer([{ subject: ANNA, key: key('c') }])).toEqual([has]);
      const [both] = await states.confirm([second]);
      expect(both).toMatchObject({ kind: 'keys', current: 'a' });
      expect(both?.kind === 'keys' ? both.keys : []).toHaveLength(2);
    });

    it('comes to the same state in any order of the log, and however often', async () => {
      const facts: readonly PersonalKeyEvent[] = [
        recorded(ANNA, 'b', 20), recorded(ANNA, 'a', 10), recorded(ANNA, 'c', 10),
        { type: 'PersonalKeyDropped', subject: ANNA, key_id: 'c', at_ms: 30 },
      ];
      await states.apply(facts);
      await states.apply([...facts].reverse());
      const [found] = await states.find([ANNA]);
      expect(found).toMatchObject({ kind: 'keys', current: 'a' });
      const ids = found?.kind === 'keys' ? found.keys.map(({ id }) => id).sort() : [];
      expect(ids).toEqual(['a', 'b']);
    });

    it('has erased a subject for good, whatever key comes, and reports which keys to drop', async () => {
      await states.offer([{ subject: ANNA, key: key('o') }]);
      expect(await states.apply([recorded(ANNA, 'a', 10)])).toEqual([]);
      const erased = { type: 'PersonalErased', subject: ANNA, at_ms: 20 } as const;
      expect(await states.apply([erased])).toEqual([{ subject: ANNA, key_id: 'a' }]);
      expect(await states.find([ANNA])).toEqual([{ kind: 'erased' }]);
      expect(await states.offer([{ subject: ANNA, key: key('n') }])).toEqual([{ kind: 'erased' }]);
      const late = recorded(ANNA, 'late', 5);
      if (late.type !== 'PersonalKeyRecorded') return;
      expect(await states.confirm([late])).toEqual([{ kind: 'erased' }]);
      expect(await states.apply([
        { type: 'PersonalKeyDropped', subject: ANNA, key_id: 'a', at_ms: 30 },
      ])).toEqual([]);
      expect(await states.apply([late])).toEqual([{ subject: ANNA, key_id: 'late' }]);
      expect(await states.find([ANNA])).toEqual([{ kind: 'erased' }]);
    });

    it('takes a new wrapping of the same key', async () => {
      await states.apply([recorded(ANNA, 'a', 10)]);
      await states.apply([
        { type: 'PersonalKeyRecorded', subject: ANNA, key_id: 'a', wrapped: 'k2.a', at_ms: 10 },
      ]);
      expect(await states.find([ANNA]))
        .toEqual([{ kind: 'keys', current: 'a', keys: [{ id: 'a', wrapped: 'k2.a' }] }]);
    });
  });
}
