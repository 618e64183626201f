import { describe } from 'vitest';
import { authorizationCallsSuite } from '../../support/authorization-calls.suite.ts';
import { authorizationStatesSuite, LEASE_MS } from '../../support/authorization-states.suite.ts';
import { memoryStates } from '../../support/memory-states.ts';

const close = () => undefined;

describe('Over entries in memory', () => {
  describe('authorizations', () => authorizationStatesSuite(async () => {
    let nowMs = 1_000;
    const states = memoryStates(() => nowMs, LEASE_MS);
    return {
      ...states, rebuilt: states.markReady, passLease: () => { nowMs += LEASE_MS + 1; }, close,
    };
  }));

  describe('calls of carriers', () => authorizationCallsSuite(async () => (
    { ...memoryStates(() => 0), close }
  )));
});
