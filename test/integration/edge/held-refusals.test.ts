import { afterEach, describe, expect, it } from 'vitest';
import type { AdmissionFacts } from '../../../services/kernel/admission.ts';
import { GOOD_FACTS, locationsBody, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const LIMITED: AdmissionFacts = {
  ...GOOD_FACTS,
  quota: { of: 'client', allowed: false, limit: 200, remaining: 0, resetSeconds: 2 },
};
/** So slow that whatever is held stays so while the test runs. */
const SLOW = { refusalsPerSecond: 0.001, refusalsBurst: 1, refusalHoldMsMax: 60_000 };

let edge: Edge | undefined;

afterEach(() => edge?.close());

describe('a caller that goes on above its limit', () => {
  it('is refused later and later, while what is admitted is answered at once', async () => {
    const opened = await openEdge({ http: SLOW });
    edge = opened;
    opened.admit(LIMITED);
    for (let nth = 0; nth < 2; nth += 1) {
      const refused = await opened.post(BODY);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('300');
    }
    let isAnswered = false;
    const held = opened.post(BODY).then(() => { isAnswered = true; }, () => undefined);
    await expect.poll(() => opened.asked.length).toBe(3);
    opened.admit(GOOD_FACTS);
    expect((await opened.post(BODY)).status).toBe(202);
    expect(isAnswered).toBe(false);
    await opened.close();
    await held;
    expect(isAnswered).toBe(false);
  });
});
