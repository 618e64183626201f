import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import type { OperationsPorts } from '../../services/gateways/assemble-operations.ts';
import { createStates, type StateParts } from '../../services/state/create-states.ts';
import { fakePersonal } from './fake-personal.ts';

/** What a dry run makes again, over the parts of a state store. */
export function dryOver(parts: StateParts): OperationsPorts['over'] {
  return function over(store, log) {
    const states = createStates(REDIS_DEFAULTS, { ...parts, store });
    return {
      states: states as unknown as OperationsPorts['states'],
      personal: fakePersonal(states.personalKeys, log),
    };
  };
}
