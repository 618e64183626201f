import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OverflowRecorded, OverflowStates } from '../../services/kernel/overflow.ts';

/** The port of one implementation under test. */
export interface OpenedOverflow {
  readonly overflow: OverflowStates;
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** What every implementation of the port OverflowStates must do. */
export function overflowStatesSuite(open: () => Promise<OpenedOverflow>): void {
  let states: OpenedOverflow;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  const decision = (more: Partial<OverflowRecorded>): OverflowRecorded => ({
    type: 'OverflowRecorded', provider: 'acme', state: 'in', version: 1, at_ms: 1_000, ...more,
  });

  it('[GEN-68] keeps the newest decision of operators and of writers, whatever comes last', async () => {
    const operator = decision({ version: 2, state: 'out' });
    const writer = decision({ by: 'writer', version: 3, ends_at_ms: 601_000 });
    for (const fact of [
      operator, writer, decision({ version: 1 }), decision({ by: 'writer', version: 2 }),
    ]) await states.overflow.apply(fact);
    expect(await states.overflow.decisionsOf(['acme', 'calm'])).toEqual([
      { provider: 'acme', decisions: { operator, writer } },
      { provider: 'calm', decisions: {} },
    ]);
  });

  it('keeps nothing of decisions about a device, and answers for no provider at all', async () => {
    await states.overflow.apply({ type: 'OverflowRecorded', device_id: 'd1', state: 'in', version: 1, at_ms: 1_000 });
    expect(await states.overflow.decisionsOf([])).toEqual([]);
    expect(await states.overflow.decisionsOf(['d1'])).toEqual([{ provider: 'd1', decisions: {} }]);
  });

  it('rejects while the store is not ready, and takes facts of the log all the same', async () => {
    await states.wipe();
    await states.overflow.apply(decision({}));
    await expect(states.overflow.decisionsOf(['acme']))
      .rejects.toMatchObject({ code: 'state_not_ready' });
  });
}
