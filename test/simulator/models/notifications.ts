import { createHash } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import {
  pushNotifications,
} from '../../../services/gateways/notifications/operations/push-notifications.ts';
import type { ProofImages } from '../../../services/kernel/images.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { createJourneyWorker } from '../../../services/workers/journey/pipeline.ts';
import { createJourneyApplier } from '../../../services/workers/journey/replay-journeys.ts';
import { SAMPLE_CODES } from '../../support/journeys.ts';
import { aNotification } from '../../support/notifications.ts';
import type { Model } from '../core/model.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { SimGateway, Simulation } from '../core/simulation.ts';
import { checkNotifications, watchJourneyOffsets } from '../invariants/notifications.ts';
import { readRecord } from '../../support/read-record.ts';
import { accessSource, NO_POSITIONS, seedAccount, type Account } from './accounts.ts';
import { idsOf, UNSEALED, workerPorts } from './ports.ts';
import { atOnce } from '../../../services/kernel/steps.ts';

/** Codes of the notifications; few are final, so that something can come after. */
const CODES = ['EX-CREATED', 'EX-COLLECTED', 'EX-HUB', 'EX-ON-ROUTE', 'EX-FAILED', 'EX-DELIVERED'];
const NUMBERS = ['RS-ONE', 'RS-TWO'];
/** A number that both carriers take for theirs. */
const CONTESTED = 'RS-FREE';
const DAY_MS = Date.parse('2026-11-20T00:00:00Z');

const NO_IMAGES: ProofImages = {
  read: () => undefined, readLong: () => atOnce(undefined), write: () => '', keep: () => Promise.reject(new Error('none here')),
  find: async () => undefined, erase: async () => undefined,
};

/** Notifications: pushed by two carriers at once, processed by the owner of the partition. */
export const notificationsModel: Model = {
  name: 'notifications',
  mustAnswer: ['push 202', 'push 500'],
  build(simulation) {
    const accounts = [1, 2].map((number) =>
      seedAccount(simulation, number, 'logistic-feed', ['tracking:push']));
    const broken: string[] = [];
    simulation.keepGateways(2, (process) => gatewayOf(simulation, process));
    simulation.keepWorkers(
      'keeper', 2, [TOPICS.notifications.name],
      (process) => createJourneyWorker(
        { ...POISON_FLOOD_LIMITS, appendMsMax: 10_000 }, {
          codes: SAMPLE_CODES,
          ...workerPorts(simulation, process), log: simulation.append(process),
          shipments: watchJourneyOffsets(simulation, broken, simulation.states(process).shipments),
          digest: (text) => createHash('sha256').update(text).digest('hex'),
        },
      ),
      (process) => ({
        state: [accessSource(simulation, process), {
          topics: [TOPICS.journey.name],
          applyRecords: createJourneyApplier(simulation.states(process).shipments, readRecord),
        }],
        lastFixes: NO_POSITIONS,
      }),
    );
    for (const [at, name] of ['anna', 'bela', 'carl'].entries()) {
      const account = accounts[at === 2 ? 1 : 0];
      if (account !== undefined) simulation.client(
        name, (client) => behave(simulation, client, account),
      );
    }
    return { check: () => [...broken, ...checkNotifications(simulation)] };
  },
};

function gatewayOf(simulation: Simulation, process: SimProcess): SimGateway {
  const clock = simulation.wire.clockOf(process);
  const ports = {
    ...UNSEALED, shipments: simulation.states(process).shipments, images: NO_IMAGES,
    log: simulation.append(process), ids: idsOf(process),
  };
  return {
    operations: [pushNotifications(ports)],
    admission: simulation.states(process).admission,
    clock,
  };
}

async function behave(
  simulation: Simulation, client: SimProcess, { authorization, clientId }: Account,
): Promise<void> {
  const { dice } = simulation.scheduler;
  // The second carrier mostly has a shipment of its own, and sometimes says it is another's.
  const own = clientId.endsWith('1') ? ['RS-ONE', 'RS-TWO'] : ['RS-THREE'];
  for (let left = dice.between(3, 6); left > 0; left -= 1) {
    const body = Array.from({ length: dice.between(1, 3) }, () => {
      const minute = dice.between(0, 40);
      const code = dice.chance(0.12) ? 'EX-DELIVERED' : dice.pick(CODES.slice(0, 5));
      const tracking_number = dice.chance(0.05)
        ? dice.pick(NUMBERS)
        : dice.chance(0.2) ? CONTESTED : dice.pick(own);
      const date = new Date(DAY_MS + minute * 60_000).toISOString();
      return { ...aNotification(code, { date }), tracking_number };
    });
    for (let tries = dice.between(1, 3); tries > 0; tries -= 1) {
      const { outcome } = await simulation.call(client, {
        op: 'push', operation: 'push-notifications', authorization, body,
        args: {
          count: String(body.length),
          numbers: body.map((each) => each.tracking_number).join(),
        },
      });
      if (outcome !== 'info') break;
    }
  }
}
