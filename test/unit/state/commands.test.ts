import { describe } from 'vitest';
import { commandStatesSuite } from '../../support/command-states.suite.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { examinationStatesSuite } from '../../support/examination-states.suite.ts';
import { overflowStatesSuite } from '../../support/overflow-states.suite.ts';
import { leasesSuite, partyStatesSuite } from '../../support/party-states.suite.ts';
import { personalKeyStatesSuite } from '../../support/personal-key-states.suite.ts';

async function open() {
  const states = memoryStates();
  return { ...states, wipe: async () => states.wipe(), close: async () => undefined };
}

describe('Over entries in memory', () => {
  describe('commands', () => commandStatesSuite(open));
  describe('examinations', () => examinationStatesSuite(open));
  describe('overflow', () => overflowStatesSuite(open));
  describe('parties', () => partyStatesSuite(open));
  describe('leases', () => leasesSuite(open));
  describe('personal keys', () => personalKeyStatesSuite(open));
});
