import { describe } from 'vitest';
import { commandStatesSuite } from '../../support/command-states.suite.ts';
import { fakeCommands, type FakeCommands } from '../../support/fake-commands.ts';
import { leasesSuite, partyStatesSuite } from '../../support/party-states.suite.ts';

async function open(): Promise<
  Omit<FakeCommands, 'wipe'> & { wipe(): Promise<void>; close(): Promise<void> }
> {
  const states = fakeCommands();
  return { ...states, wipe: async () => states.wipe(), close: async () => {} };
}

describe('The states in memory', () => {
  describe('commands', () => commandStatesSuite(open));
  describe('parties', () => partyStatesSuite(open));
  describe('leases', () => leasesSuite(open));
});
