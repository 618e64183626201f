import { describe } from 'vitest';
import { authorizationStatesSuite, LEASE_MS } from '../../support/authorization-states.suite.ts';
import { fakeAuthorizations } from '../../support/fake-authorizations.ts';

describe('The authorizations in memory', () => {
  authorizationStatesSuite(async () => {
    let nowMs = 1_000;
    const fake = fakeAuthorizations(() => nowMs, LEASE_MS);
    return { ...fake, passLease: () => { nowMs += LEASE_MS + 1; }, close: () => undefined };
  });
});
