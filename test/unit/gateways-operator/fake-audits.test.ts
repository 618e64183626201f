import { describe } from 'vitest';
import { auditsSuite } from '../../support/audits.suite.ts';
import { fakeAudits } from '../../support/fake-audits.ts';

describe('audits in memory', () => {
  auditsSuite(async () => {
    const audits = fakeAudits();
    return {
      audits, record: async (all) => { audits.add(...all); }, close: () => Promise.resolve(),
    };
  });
});
