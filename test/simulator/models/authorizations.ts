import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import {
  authorizeShipment,
} from '../../../services/gateways/authorization/operations/authorize-shipment.ts';
import {
  cancelShipment,
} from '../../../services/gateways/authorization/operations/cancel-shipment.ts';
import {
  createAuthorizationApplier, type AuthorizationTargets,
} from '../../../services/workers/projector/authorizations/apply-authorization-records.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import type { Model } from '../core/model.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { SimGateway, Simulation } from '../core/simulation.ts';
import { checkAuthorizations } from '../invariants/authorizations.ts';
import { readRecord } from '../../support/read-record.ts';
import { accessSource, NO_POSITIONS, seedAccount, type Account } from './accounts.ts';
import { idsOf, RACE, UNSEALED, workerPorts } from './ports.ts';
import { sha256 } from '../../support/state-facts.ts';

const SHIPMENT = 41;
const BODY: AuthorizationRequest = aRequest({ id: SHIPMENT, transport_order_id: 'order' });

/** Authorizations and cancellations of few transport orders, asked for by several at once. */
export const authorizationsModel: Model = {
  name: 'authorizations',
  mustAnswer: ['authorize 200', 'authorize 500', 'cancel 200', 'cancel 400'],
  build(simulation) {
    const account = seedAccount(simulation, 1, 'authorizations', ['authorizations']);
    simulation.keepGateways(2, (process) => gatewayOf(simulation, process));
    simulation.keepWorkers(
      'keeper', 2, [TOPICS.authorizations.name],
      (process) => createProjection('authorizations', POISON_FLOOD_LIMITS, {
        ...workerPorts(simulation, process), ...targetsOf(simulation, process),
      }),
      (process) => ({
        state: [accessSource(simulation, process), {
          topics: [TOPICS.authorizations.name],
          applyRecords: createAuthorizationApplier(targetsOf(simulation, process), readRecord),
        }],
        lastFixes: NO_POSITIONS,
      }),
    );
    for (const name of ['anna', 'bela', 'carl']) {
      simulation.client(name, (client) => behave(simulation, client, account));
    }
    return { check: () => checkAuthorizations(simulation) };
  },
};

function targetsOf(simulation: Simulation, process: SimProcess): AuthorizationTargets {
  const { authorizations, shipments, shipmentIndex, ...others } = simulation.states(process);
  const { authorizationCalls, feeds } = others;
  return {
    authorizations,
    shipments,
    shipmentIndex,
    // No carrier is called here, and none has a feed.
    authorizationCalls,
    feeds,
  };
}

function gatewayOf(simulation: Simulation, process: SimProcess): SimGateway {
  const { authorizations, shipments } = simulation.states(process);
  const clock = simulation.wire.clockOf(process);
  const ports = {
    ...UNSEALED,
    states: authorizations,
    shipments,
    log: simulation.append(process), clock, pause: simulation.wire.pauseOf(process), ids: idsOf(
      process,
    ),
    digest: sha256,
    numbers: sha256,
  };
  const config = { ...RACE, carrierClientId: '100000000000077', contractsRequiringAgency: [] };
  return {
    operations: [authorizeShipment(config, ports), cancelShipment(RACE, ports)],
    admission: simulation.states(process).admission,
    clock,
  };
}

async function behave(
  simulation: Simulation, client: SimProcess, { authorization }: Account,
): Promise<void> {
  const { dice } = simulation.scheduler;
  const orders = ['one', 'two'].slice(0, dice.between(1, 2));
  for (let left = dice.between(3, 7); left > 0; left -= 1) {
    const order = dice.pick(orders);
    const isCancel = dice.chance(0.4);
    const body = isCancel
      ? { id: SHIPMENT, transport_order_id: order }
      : { ...BODY, transport_order_id: order, test: dice.chance(0.3) };
    for (let tries = dice.between(1, 3); tries > 0; tries -= 1) {
      const { outcome } = await simulation.call(client, {
        op: isCancel ? 'cancel' : 'authorize',
        operation: isCancel ? 'cancel-shipment' : 'authorize-shipment',
        args: { order }, authorization, params: { shipment_id: String(SHIPMENT) }, body,
      });
      if (outcome !== 'info') break;
    }
  }
}
