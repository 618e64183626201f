import { describe } from 'vitest';
import { authorizationCallsSuite } from '../../support/authorization-calls.suite.ts';
import { authorizationStatesSuite, LEASE_MS } from '../../support/authorization-states.suite.ts';
import { fakeAuthorizationCalls } from '../../support/fake-authorization-calls.ts';
import { fakeAuthorizations } from '../../support/fake-authorizations.ts';

describe('In memory', () => {
  describe('authorizations', () => authorizationStatesSuite(async () => {
    let nowMs = 1_000;
    const fake = fakeAuthorizations(() => nowMs, LEASE_MS);
    return {
      ...fake, rebuilt: fake.markReady, passLease: () => { nowMs += LEASE_MS + 1; },
      close: () => undefined,
    };
  }));

  describe('calls of carriers', () => authorizationCallsSuite(async () => {
    const fake = fakeAuthorizationCalls();
    return { authorizationCalls: fake, wipe: fake.wipe, close: () => undefined };
  }));
});
