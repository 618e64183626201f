import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import { createTrackEraser } from '../../../services/adapters/clickhouse/track-eraser.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';

/** A store that has nothing, and answers each wait for a refresh with an error of this code. */
function storeWhoseRefresh(code: string) {
  const statements: string[] = [];
  return {
    statements,
    query: () => Promise.resolve([]),
    execute(statement: string) {
      statements.push(statement);
      if (!statement.startsWith('SYSTEM WAIT VIEW')) return Promise.resolve();
      const cause = new ClickHouseError({ code, message: 'Database system does not exist.' });
      return Promise.reject(new Unavailable('sink_unavailable', 'apply', 'a refresh', cause));
    },
  };
}

describe('[GEN-65] an erasure that waits for refreshes', () => {
  it('goes on when the newest one failed, as while the server started', async () => {
    const store = storeWhoseRefresh('730');
    expect(await createTrackEraser(store).erase('d', [], 1)).toBe(0);
    expect(store.statements.findLast((each) => each.includes('DELETE'))).toContain('place_day_marks');
  });

  it('does not go on when that is not known', async () => {
    const store = storeWhoseRefresh('209');
    await expect(createTrackEraser(store).erase('d', [], 1)).rejects
      .toMatchObject({ code: 'sink_unavailable' });
    expect(store.statements.some((each) => each.includes('place_day_marks'))).toBe(false);
  });
});
