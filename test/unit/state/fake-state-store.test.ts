import { describe } from 'vitest';
import { fakeStateStore } from '../../support/fake-state-store.ts';
import { stateStoreSuite } from '../../support/state-store.suite.ts';

describe('The store of entries in memory', () => stateStoreSuite(async () => {
  const store = fakeStateStore();
  return { store, wipe: async () => store.wipe(), close: async () => {} };
}));
