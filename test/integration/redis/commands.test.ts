import { describe } from 'vitest';
import { commandStatesSuite } from '../../support/command-states.suite.ts';
import { openRedisStates } from '../../support/open-redis-states.ts';
import { examinationStatesSuite } from '../../support/examination-states.suite.ts';
import { overflowStatesSuite } from '../../support/overflow-states.suite.ts';
import { leasesSuite, partyStatesSuite } from '../../support/party-states.suite.ts';

const open = () => openRedisStates();

describe('The state store in Redis', () => {
  describe('commands', () => commandStatesSuite(open));
  describe('examinations', () => examinationStatesSuite(open));
  describe('overflow', () => overflowStatesSuite(open));
  describe('parties', () => partyStatesSuite(open));
  describe('leases', () => leasesSuite(open));
});
