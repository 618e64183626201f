import {
  operationsOf, type OperationsPorts,
} from '../../../services/gateways/assemble-operations.ts';
import { GATEWAY_ROOMS, type GatewayRoom } from '../../../services/gateways/gateways.ts';
import { fakeDeadLetters } from '../../support/fake-dead-letters.ts';
import { fakeLive } from '../../support/fake-live.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakeOverflow } from '../../support/fake-overflow.ts';
import { fakePipeline } from '../../support/fake-pipeline.ts';
import { fakeStates } from '../../support/fake-states.ts';

/** Which room has which operation, by its id. */
export function operationsByRoom(): ReadonlyMap<string, GatewayRoom> {
  // Operations only keep their ports when they are made; nothing here calls those left out.
  const ports = {
    states: fakeStates(), log: fakeRecordLog(), live: fakeLive(),
    deadLetters: fakeDeadLetters(fakeRecordLog()), pipeline: fakePipeline(),
    overflowSource: fakeOverflow(fakeRecordLog()),
  } as unknown as OperationsPorts;
  return new Map(GATEWAY_ROOMS.flatMap((room) => operationsOf([room], {
    RASTRO_SECRET_PEPPER: 'pepper-for-tests', RTT_REQUIRE_OPEN_MONITORING: true,
    RASTRO_CARRIER_CLIENT_ID: undefined, RASTRO_CONTRACTS_REQUIRING_AGENCY: [],
    RASTRO_RACE_WAIT_MS_MAX: 2_000,
  }, ports).map(({ id }) => [id, room] as const)));
}
