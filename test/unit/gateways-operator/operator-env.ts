import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import { operatorOperations } from '../../../services/gateways/assemble-operator.ts';
import type { OpenLimits } from '../../../services/operator/dead-letters/open-log.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeDeadLetters, type FakeDeadLetters } from '../../support/fake-dead-letters.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeStates } from '../../support/fake-states.ts';

/** An answer as it is written. */
export type OperatorAnswer = ReturnType<typeof written>;

/** The operations of operators over dead letters and a log in memory. */
export interface OperatorEnv {
  readonly log: FakeRecordLog;
  readonly deadLetters: FakeDeadLetters;
  readonly states: ReturnType<typeof fakeStates>;
  /** Moves the clock on with every reading of it, in milliseconds. */
  readonly clock: { stepMs: number };
  list(): Promise<OperatorAnswer>;
  plan(query: Readonly<Record<string, string>>): Promise<OperatorAnswer>;
  replay(body: object): Promise<OperatorAnswer>;
}

/** Opens them, with what a gateway may hold. */
export function openOperator(limits?: OpenLimits): OperatorEnv {
  const log = fakeRecordLog();
  const deadLetters = fakeDeadLetters(log, limits);
  const states = fakeStates();
  let nowMs = 1_764_100_000_000;
  const step = { stepMs: 0 };
  const clock = { nowMs: () => nowMs += step.stepMs };
  const operations = operatorOperations(deadLetters, {
    log, leases: states.leases, ids: createIds(clock), clock, secrets: keyedSecrets('pepper'),
  });
  async function ask(id: string, wishes: object): Promise<OperatorAnswer> {
    const operation = operations.find((each) => each.id === id)!;
    return written(operation, await operation.handle(
      callOf({ nowMs, clientId: '900000000000001', ...wishes }),
    ));
  }
  return {
    log, deadLetters, states, clock: step,
    list: () => ask('list-dead-letters', {}),
    plan: (query) => ask('show-replay', { query }),
    replay: (body) => ask('replay-dead-letters', { body }),
  };
}
