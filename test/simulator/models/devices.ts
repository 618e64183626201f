import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { moveDeviceOperations } from '../../../services/gateways/devices/operations/move-device.ts';
import { registerDevice } from '../../../services/gateways/devices/operations/register-device.ts';
import { sendLocations } from '../../../services/gateways/georeceiver/operations/send-locations.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import {
  createLifecycleApplier, createFixApplier,
} from '../../../services/workers/projector/devices/apply-device-records.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import type { SimCall } from '../core/history.ts';
import type { Model } from '../core/model.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { SimGateway, Simulation } from '../core/simulation.ts';
import { checkDevices, watchStages } from '../invariants/devices.ts';
import { readRecord } from '../../support/read-record.ts';
import { accessSource, seedAccount, type Account } from './accounts.ts';
import { idsOf, RACE, UNSEALED, workerPorts } from './ports.ts';

const FIX_LIMITS = { fixAgeSecondsMax: 400 * 86_400 };

/** Devices: registered, started, stopped and heard of by several at once. */
export const devicesModel: Model = {
  name: 'devices',
  mustAnswer: [
    'register 201', 'register 208', 'start 200', 'start 208', 'stop 200', 'stop 208', 'send 202',
    'send 403', 'send 500',
  ],
  build(simulation) {
    const account = seedAccount(simulation, 1, 'rtt', ['rtt:devices', 'rtt:locations']);
    const { fixes } = simulation.stores.states;
    simulation.keepGateways(2, (process) => gatewayOf(simulation, process));
    simulation.keepWorkers(
      'keeper', 2, [TOPICS.deviceLifecycle.name, TOPICS.locations.name],
      (process) => createProjection('devices', { ...POISON_FLOOD_LIMITS, ...FIX_LIMITS }, {
        ...workerPorts(simulation, process),
        ...simulation.states(process),
      }),
      (process) => ({
        state: [accessSource(simulation, process), {
          topics: [TOPICS.deviceLifecycle.name],
          applyRecords: createLifecycleApplier(simulation.states(process).devices, readRecord),
        }],
        lastFixes: {
          topics: [TOPICS.locations.name],
          applyRecords: createFixApplier(FIX_LIMITS, simulation.states(process).lastFixes),
        },
      }),
    );
    const lives: Lives = [];
    const broken = watchStages(simulation);
    for (const name of ['anna', 'bela', 'carl']) {
      simulation.client(name, (client) => behave(simulation, client, account, lives));
    }
    return {
      isQuiet: () => fixes.isComplete,
      check: () => [...broken, ...checkDevices(simulation)],
    };
  },
};

/** The devices that clients know of, oldest first. */
type Lives = string[];

function learn(lives: Lives, { body: { id } }: SimCall): void {
  if (typeof id === 'string' && !lives.includes(id)) lives.push(id);
}

function gatewayOf(simulation: Simulation, process: SimProcess): SimGateway {
  const { devices, admission } = simulation.states(process);
  const clock = simulation.wire.clockOf(process);
  const log = simulation.append(process);
  const ids = idsOf(process);
  const ports = {
    ...UNSEALED, states: devices, log, clock, ids,
    pause: simulation.wire.pauseOf(process),
  };
  return {
    operations: [
      registerDevice(RACE, ports), ...moveDeviceOperations(RACE, ports),
      sendLocations({ log, ids }),
    ],
    admission,
    clock,
  };
}

async function behave(
  simulation: Simulation, client: SimProcess, account: Account, lives: Lives,
): Promise<void> {
  const { dice } = simulation.scheduler;
  const entities = ['van', 'bike'].slice(0, dice.between(1, 2));
  for (let left = dice.between(4, 9); left > 0; left -= 1) {
    const roll = dice.next();
    const entity = dice.pick(entities);
    if (lives.length === 0 || roll < 0.25) {
      await register(simulation, client, account, entity, lives);
    } else if (roll < 0.45) await move(simulation, client, account, 'start', newestOf(simulation, lives));
    else if (roll < 0.62) await move(simulation, client, account, 'stop', newestOf(simulation, lives));
    else await send(simulation, client, account, newestOf(simulation, lives));
  }
}

/** Mostly the newest, sometimes an old one. */
function newestOf({ scheduler: { dice } }: Simulation, lives: Lives): string {
  return (dice.chance(0.7) ? lives.at(-1) : dice.pick(lives)) ?? '';
}

async function register(
  simulation: Simulation, client: SimProcess, { authorization }: Account, entity: string,
  lives: Lives,
): Promise<void> {
  await repeat(simulation, async () => {
    const each = await simulation.call(client, {
      op: 'register', operation: 'register-device', args: { entity }, authorization,
      query: { country_id: 'BR' },
      body: { external_entity: { entity_type: 'van', entity_id: entity }, transport: { id: 7 } },
    });
    learn(lives, each);
    return each;
  });
}

async function move(
  simulation: Simulation, client: SimProcess, { authorization }: Account, verb: 'start' | 'stop', device: string,
): Promise<void> {
  await repeat(simulation, () => simulation.call(client, {
    op: verb, operation: `${verb}-device-tracking`, args: { device }, authorization,
    params: { device_id: device }, query: { country_id: 'BR' },
  }));
}

async function send(
  simulation: Simulation, client: SimProcess, { authorization }: Account, device: string,
): Promise<void> {
  const { dice, nowMs } = simulation.scheduler;
  const timestamp = Math.floor(nowMs() / 1_000) - dice.between(0, 9);
  await simulation.call(client, {
    op: 'send', operation: 'send-locations', args: { device }, authorization,
    params: { provider: 'acme' }, query: { country_id: 'BR' },
    body: {
      device_id: device, post_timestamp: timestamp,
      locations: [{ timestamp, country_id: 'BR', latitude: -23.5, longitude: -46.6 }],
    },
  });
}

/** As the contract wants it: again while the answer is 500 or none, here a few times. */
async function repeat(simulation: Simulation, call: () => Promise<SimCall>): Promise<void> {
  for (let left = simulation.scheduler.dice.between(1, 3); left > 0; left -= 1) {
    if ((await call()).outcome !== 'info') return;
  }
}
