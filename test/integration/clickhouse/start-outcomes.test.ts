import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOutcomes, reportOutcomes } from '../../../infra/local/demo/item-outcomes.ts';
import { createHistory, post, writePosts, type History } from './history.ts';

let history: History;
beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

describe('the item outcomes that npm start prints', () => {
  it('[GEN-07] add up what an analyst sees since the run began, and what was never read', async () => {
    const nowMs = Date.now();
    const fix = (seconds: number) => ({
      timestamp: Math.floor(nowMs / 1000) - seconds, country_id: 'BR', latitude: 1, longitude: 2,
    });
    const sent = (offset: number, agoMs: number, ...seconds: number[]) => (
      post(seconds.map(fix), { device: 'd1', offset, receivedAtMs: nowMs - agoMs })
    );
    await writePosts(history.ingest, [
      sent(1, 3_600_000, 4_000), sent(2, 1_200_000, 1_300), sent(3, 5_000, 9, 8), sent(5, 4_000, 9),
    ]);
    const ask = async (sql: string) => history.analyst.query(sql);
    const query = ask as Parameters<typeof sumOutcomes>[0];
    expect(await sumOutcomes(query, nowMs - 1_500_000)).toMatchObject({
      accepted: 4, stored: 3, duplicate: 1, unexplained: 0, unread: 1,
    });
    expect(await reportOutcomes(query, nowMs - 60_000, { pollsMax: 2, pollMs: 1 })).toEqual({
      line: expect.stringMatching(
        /^outcomes +accepted=3 stored=2 duplicate=1 .* unexplained=0 unread=1$/,
      ) as string,
      isExplained: false,
    });
    await writePosts(history.ingest, [sent(4, 4_500, 7)]);
    expect(await reportOutcomes(query, nowMs - 60_000)).toMatchObject({ isExplained: true });
  });
});
