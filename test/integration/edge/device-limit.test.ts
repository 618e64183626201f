import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceRegistered } from '../../../services/kernel/devices.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { locationsBody, openEdge, problemOf, type Edge } from '../../support/edge.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import {
  aClient, aRegistration, aToken, placed, sha256, startOf,
} from '../../support/state-facts.ts';

const BURST = 3;

let edge: Edge;
let states: OpenedRedis;

beforeAll(async () => {
  // So slow that no call comes free again while the test runs.
  states = await openRedisStates({
    deviceRequestsPerSecond: 0.001, deviceRequestsBurst: BURST,
  });
  edge = await openEdge({ admission: states.admission });
});
afterAll(async () => {
  await edge.close();
  await states.close();
});

interface Sender {
  readonly client: ReturnType<typeof aClient>;
  send(device: DeviceRegistered): Promise<Response>;
  newDevice(): Promise<DeviceRegistered>;
}

async function sender(): Promise<Sender> {
  const client = aClient();
  const shard = shardOf(client.client_id).toString(16).padStart(2, '0');
  const token = `${shard}${randomBytes(32).toString('base64url')}`;
  await states.access.applyClient(client);
  await states.access.putToken(aToken(client, { token_hash: sha256(token) }));
  return {
    client,
    async newDevice() {
      const device = aRegistration(client);
      await states.devices.apply(placed([device, startOf(device)]));
      return device;
    },
    send: ({ device_id }) => edge.post(JSON.stringify({ ...locationsBody(), device_id }), {
      headers: { authorization: `Bearer ${token}` },
    }),
  };
}

describe('the limit of each device over HTTP', () => {
  it('[RTT-12] answers 429 with Retry-After 300 and says whose limit it is', async () => {
    const { send, newDevice } = await sender();
    const device = await newDevice();
    for (let left = BURST - 1; left >= 0; left--) {
      const taken = await send(device);
      expect([taken.status, taken.headers.get('ratelimit-remaining')]).toEqual([202, String(left)]);
      expect(taken.headers.get('ratelimit-policy')).toBe(`"device";q=${BURST}`);
    }
    const before = edge.log.appended.length;
    const refused = await send(device);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([429, 'rate_limited']);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '300', 'ratelimit-limit': String(BURST), 'ratelimit-remaining': '0',
      'ratelimit-policy': `"device";q=${BURST}`,
      'ratelimit-reset': '300', ratelimit: '"device";r=0;t=300',
    });
    expect(edge.log.appended).toHaveLength(before);
  });

  it('touches neither another device of the client nor another client', async () => {
    const { send, newDevice } = await sender();
    const loud = await newDevice();
    for (let sent = 0; sent <= BURST; sent++) await (await send(loud)).text();
    expect((await send(loud)).status).toBe(429);
    expect((await send(await newDevice())).status).toBe(202);
    const other = await sender();
    expect((await other.send(await other.newDevice())).status).toBe(202);
  });
});
