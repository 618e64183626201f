import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { waitFor } from '../../infra/local/wait.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { type LocalStack } from '../../infra/local/processes/local-stack.ts';
import { tagOfClient } from '../../services/adapters/redis/keys.ts';
import type { DeviceEvent } from '../../services/kernel/devices.ts';
import { openOperatorLog } from '../../services/cli/assemble-log.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import type { LoadSender } from './load/order.ts';

/** Devices by their numbers from 0, so that a fleet can grow and a part of it be named again. */
export interface BenchFleet {
  /** Brings the fleet to so many devices, through the log and the projector as ever. */
  growTo(devices: number): Promise<void>;
  /** So many devices, spread evenly over the first `known`. */
  spread(count: number, known: number): readonly LoadSender[];
  /** Bytes that the state store has allocated. */
  storeBytes(): Promise<number>;
  close(): Promise<void>;
}

const TOPIC = TOPICS.deviceLifecycle;
const AT_ONCE = 20_000;
const APPEND_MS_MAX = 60_000;
const APPLY_MS_MAX = 1_800_000;

/**
 * Opens the fleet of the demonstration client. Its devices come as facts instead of calls, a
 * million calls being too slow, and without sealed names, which are the only thing they lack.
 */
export function openFleet(
  { stack: { env }, operator, identity }: LocalStack, token: string,
): BenchFleet {
  const { recordLog, close } = openOperatorLog({
    brokers: env.KAFKA_BROKERS.split(','), registryUrl: operator.registryUrl,
    kafkaClient: 'platformatic',
  }, silentSignals, [TOPIC]);
  const redis = new Redis(env.REDIS_URL);
  const tag = tagOfClient(identity.clientId);
  let known = 0;

  async function record(event: DeviceEvent): Promise<void> {
    await recordLog.append({
      topic: TOPIC.name, key: event.device_id, value: Buffer.from(JSON.stringify(event)),
      headers: {
        client: event.client_id, country: event.country_id, epoch: String(event.epoch),
        'received-at': String(event.at_ms),
      },
    }, Date.now() + APPEND_MS_MAX);
  }

  return {
    async growTo(devices) {
      for (let first = known; first < devices; first += AT_ONCE) {
        const numbers = Array.from(
          { length: Math.min(AT_ONCE, devices - first) }, (_, at) => first + at,
        );
        await Promise.all(numbers.map((nth) => record(registered(identity, nth))));
        await Promise.all(numbers.map((nth) => record(started(identity, nth))));
      }
      const newest = Array.from({ length: TOPIC.partitions * 16 }, (_, at) => devices - 1 - at)
        .filter((nth) => nth >= known);
      known = Math.max(known, devices);
      await waitFor(async () => {
        const stages = await Promise.all(newest.map((nth) => (
          redis.hget(`${tag}:device:${deviceIdOf(nth)}`, 'epoch')
        )));
        return stages.every((stage) => stage === '2');
      }, { what: 'The fleet in the state store', deadlineMs: APPLY_MS_MAX, everyMs: 200 });
      // Growing makes Redis rewrite its file; a row must not pay for that.
      await waitFor(async () => (
        /aof_rewrite_in_progress:0/.test(await redis.info('persistence'))
      ), { what: 'The file of the state store', deadlineMs: APPLY_MS_MAX, everyMs: 200 });
    },
    spread: (count, among) => Array.from({ length: Math.min(count, among) }, (_, at) => (
      { deviceId: deviceIdOf(Math.floor(at * among / Math.min(count, among))), token }
    )),
    async storeBytes() {
      return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    },
    async close() {
      redis.disconnect();
      await close(Date.now() + APPEND_MS_MAX);
    },
  };
}

/** Who owns the fleet. */
export type Owner = LocalStack['identity'];

/** What makes a device known and tracked, as the log has it. */
export function factsOfDevice(owner: Owner, nth: number): readonly [DeviceEvent, DeviceEvent] {
  return [registered(owner, nth), started(owner, nth)];
}

function registered({ clientId, country }: Owner, nth: number): DeviceEvent {
  return {
    type: 'DeviceRegistered', device_id: deviceIdOf(nth), client_id: clientId, user_id: clientId,
    generation: 1, epoch: 1, entity_hash: hexOf(`entity ${nth}`), entity_type: 'truck',
    transport_id: nth + 1, device_specs: { device_type: 'GPS', brand: 'Acme', model: 'M1' },
    country_id: country, at_ms: Date.now(),
  };
}

function started({ clientId, country }: Owner, nth: number): DeviceEvent {
  return {
    type: 'DeviceTrackingStarted', device_id: deviceIdOf(nth), client_id: clientId, epoch: 2,
    country_id: country, at_ms: Date.now(),
  };
}

function deviceIdOf(nth: number): string {
  const hex = hexOf(`fleet ${nth}`);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`,
    hex.slice(20, 32)].join('-');
}

function hexOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
