import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTestEnv, type TestEnv } from '../../support/platform.ts';
import { aFix, newActor, nowSeconds, type Actor } from '../../support/platform-actor.ts';
import { factsOf, followFeed, latitudesOf, type Follower } from '../../support/follow-feed.ts';
import type { SeenEvent } from '../../support/live-lines.ts';
import { pageExamplesSuite } from './page-examples.suite.ts';

const SCOPES = 'rtt:devices,rtt:locations,rtt:commands,query:read';

let platform: TestEnv;
let acme: Actor;
let other: Actor;
let platformToken: string;
const open: Follower[] = [];

beforeAll(async () => {
  platform = await startTestEnv();
  acme = await newActor(platform, '--scope', SCOPES);
  other = await newActor(platform, '--scope', SCOPES);
  const overseer = await platform.addClient(
    '--audience', 'platform', '--scope', 'platform:read,admin',
  );
  platformToken = await platform.token(overseer, 'platform');
}, 150_000);
afterAll(async () => {
  await Promise.all(open.map((each) => each.leave()));
  await platform.close();
});

/**
 * Follows a feed at a gateway, as soon as that follows the log; it is left at the end of the file
 * at the latest.
 */
async function follow(
  path: string, token: string,
  { id, gateway = 0 }: { id?: string | undefined; gateway?: 0 | 1 } = {},
): Promise<Follower> {
  let follower: Follower | undefined;
  await eventually('A gateway that follows the log', async () => {
    follower = await followFeed(`${platform.urls[gateway]}${path}`, token, id);
    open.push(follower);
    return follower.status !== 500;
  });
  return follower!;
}

const MAP = '/shipping/rtt/live/positions?country_id=BR';
const FACTS = '/shipping/rtt/live/facts?country_id=BR';

let latitude = 10;

/** Sends a position of a device that no other has, and says which. */
async function move(actor: Actor, deviceId: string, which: 0 | 1 = 0): Promise<number> {
  latitude += 0.001;
  const timestamp = nowSeconds() + Math.round(latitude * 1_000) % 200 - 240;
  const fix = aFix({ timestamp, latitude });
  const sent = await actor.send(deviceId, [{ ...fix, timestamp: nowSeconds() }], which);
  expect(sent.status).toBe(202);
  return latitude;
}

const shows = (follower: Follower, deviceId: string, at: number | undefined) => (
  eventually(`${deviceId} at ${String(at)}`, () => latitudesOf(follower.events())[deviceId] === at)
);

pageExamplesSuite(async () => {
  const device = await acme.startedDevice();
  await move(acme, device);
  await follow(MAP, acme.token);
  return { url: `${platform.urls[0]}${MAP}`, token: acme.token, device };
});

describe('live positions', () => {
  it('begin with what is known and go on, for each caller its own, for the platform all', async () => {
    const [mine, theirs] = await Promise.all([acme.startedDevice(), other.startedDevice()]);
    const before = await move(acme, mine);
    await move(other, theirs);
    const own = await follow(MAP, acme.token);
    const foreign = await follow(MAP, other.token, { gateway: 1 });
    const all = await follow('/platform/live/positions', platformToken);
    expect(own).toMatchObject({ status: 200, contentType: 'text/event-stream' });
    await Promise.all([shows(own, mine, before), shows(all, mine, before)]);
    const after = await move(acme, mine, 1);
    await Promise.all([shows(own, mine, after), shows(all, mine, after)]);
    const last = await move(other, theirs);
    await Promise.all([shows(foreign, theirs, last), shows(all, theirs, last)]);
    expect(own.bytes().toString()).not.toContain(theirs);
    expect(foreign.bytes().toString()).not.toContain(mine);
    expect((await acme.stop(mine)).status).toBe(200);
    await Promise.all([shows(own, mine, undefined), shows(all, mine, undefined)]);
  });

  it('go on at the other gateway when one is killed, and end at the last positions', async () => {
    const devices = await Promise.all([1, 2, 3].map(() => acme.startedDevice()));
    for (const device of devices) await move(acme, device, 1);
    const first = await follow(MAP, acme.token);
    const seen: SeenEvent[] = [];
    await eventually('all three', () => devices.every((id) => id in latitudesOf(first.events())));
    await platform.gateways[0].kill();
    await first.ended;
    seen.push(...first.events());
    const wanted: Record<string, number> = {};
    for (const device of devices) wanted[device] = await move(acme, device, 1);
    const second = await follow(MAP, acme.token, { id: seen.at(-1)?.id, gateway: 1 });
    await eventually('the last positions', () => {
      const map = latitudesOf([...seen, ...second.events()]);
      return devices.every((id) => map[id] === wanted[id]);
    });
    expect(second.events().some(({ event }) => event === 'reset')).toBe(false);
    await platform.gateways[0].ready();
    const again = await follow(MAP, acme.token, { id: second.lastId() });
    await eventually('the same at a new process', () => {
      const map = latitudesOf([...seen, ...second.events(), ...again.events()]);
      return devices.every((id) => map[id] === wanted[id]);
    });
  });

  it('stay while the state store is wiped, and are the same again behind it', async () => {
    const device = await acme.startedDevice();
    const before = await move(acme, device, 1);
    const follower = await follow(MAP, acme.token, { gateway: 1 });
    await shows(follower, device, before);
    await platform.raw.flushall();
    await eventually('The state store', async () => (
      (await acme.send(
        device, [aFix({ latitude: 5, timestamp: nowSeconds() + 1 })], 1,
      )).status === 202
    ));
    await shows(follower, device, 5);
    expect(follower.events().some(({ event }) => event === 'reset')).toBe(false);
  });

  it('come as frames of bytes where those are asked for', async () => {
    const device = await acme.startedDevice();
    const at = await move(acme, device);
    const follower = await follow(`${MAP}&format=binary`, acme.token);
    expect(follower.contentType).toBe('application/vnd.rastro.positions');
    const id = Buffer.from(device.replaceAll('-', ''), 'hex');
    await eventually('The device', () => follower.bytes().includes(id));
    const row = follower.bytes().indexOf(id);
    expect(follower.bytes().readInt32LE(row + 16)).toBe(Math.round(at * 1e7));
  });
});

describe('live facts', () => {
  it('miss and double nothing when their reader comes back, anywhere, also after a kill', async () => {
    const first = await follow(FACTS, acme.token);
    const devices: string[] = [];
    const seen: SeenEvent[] = [];
    const all = () => factsOf(seen).filter(({ fact }) => devices.includes(String(fact['device_id'])));
    devices.push(await acme.startedDevice());
    await eventually('The first facts', () => factsOf(first.events()).length >= 2);
    await first.leave();
    seen.push(...first.events());
    devices.push(await acme.startedDevice());
    const second = await follow(FACTS, acme.token, { id: first.lastId(), gateway: 1 });
    await eventually('Those of the second', () => factsOf(second.events()).length >= 2);
    await platform.gateways[1].kill();
    await second.ended;
    seen.push(...second.events());
    devices.push(await acme.startedDevice());
    await platform.gateways[1].ready();
    // It began to follow behind these facts, so that it reads them again from the log.
    const third = await follow(FACTS, acme.token, { id: second.lastId(), gateway: 1 });
    devices.push(await acme.startedDevice());
    await eventually('Those of the last', () => factsOf(third.events()).length >= 4);
    seen.push(...third.events());
    expect(seen.map(({ event }) => event)).not.toContain('reset');
    expect(all().map(({ fact }) => [fact['device_id'], fact['type']])).toEqual(
      devices.flatMap((id) => [[id, 'DeviceRegistered'], [id, 'DeviceTrackingStarted']]),
    );
    expect(new Set(all().map(({ record_id }) => record_id)).size).toBe(8);
  });

  it('of a call come as receipts, to its sender and to the platform alone', async () => {
    const device = await acme.startedDevice();
    const kinds = 'kinds=receipt';
    const own = await follow(`${FACTS}&${kinds}`, acme.token);
    const foreign = await follow(`${FACTS}&${kinds}`, other.token);
    const all = await follow(`/operator/live/facts?${kinds}`, platformToken);
    const ingest = (await acme.send(device, [aFix()], 0)).headers.get('ingest-id');
    const has = (follower: Follower) => factsOf(follower.events())
      .some(({ fact }) => fact['ingest_id'] === ingest);
    await eventually('The receipt', () => has(own) && has(all));
    const marker = await other.startedDevice();
    await other.send(marker, [aFix()], 0);
    await eventually('The receipt of the other', () => factsOf(foreign.events()).length > 0);
    expect(has(foreign)).toBe(false);
  });

  it('end when the token is revoked', async () => {
    const client = await platform.addClient('--provider', 'acme', '--scope', SCOPES);
    const token = await platform.token(client);
    const follower = await follow(FACTS, token);
    await platform.clientCommand('disable', client.client_id);
    await follower.ended;
    expect((await followFeed(`${platform.urls[0]}${FACTS}`, token)).status).toBe(403);
  });
});

describe('the fleet of the past', () => {
  it('has the newest position of a minute, also one that came late, for each caller its own', async () => {
    const [mine, theirs] = await Promise.all([acme.startedDevice(), other.startedDevice()]);
    const minute = Math.floor(nowSeconds() / 60) * 60 - 7_200;
    const pastAt = async (path: string, token: string) => {
      const answer = await fetch(`${platform.urls[1]}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      const { positions } = await answer.json() as {
        positions: { device_id: string; latitude: number; client_id?: string }[];
      };
      return positions.filter(({ device_id }) => [mine, theirs].includes(device_id));
    };
    const at = `at=${new Date(minute * 1_000).toISOString()}`;
    const own = () => pastAt(`/shipping/rtt/live/fleet?country_id=BR&${at}`, acme.token);
    const shown = (latitude: number) => eventually(`the fleet at ${latitude}`, async () => (
      (await own()).some((each) => each.latitude === latitude)
    ));
    await acme.send(mine, [aFix({ timestamp: minute - 600, latitude: 1 })]);
    await other.send(theirs, [aFix({ timestamp: minute - 600, latitude: 2 })]);
    await shown(1);
    await acme.send(mine, [aFix({ timestamp: minute + 59, latitude: 3 })]);
    await acme.send(mine, [aFix({ timestamp: minute + 60, latitude: 4 })]);
    await shown(3);
    expect(await own()).toMatchObject([{ device_id: mine, latitude: 3, age_seconds: 1 }]);
    const all = () => pastAt(`/platform/live/fleet?${at}&provider=acme`, platformToken);
    await eventually('the fleets of all clients', async () => (await all()).length === 2);
    expect(new Set((await all()).map(({ client_id }) => client_id)).size).toBe(2);
  });

  it('is a fault while the tables are away, which says when to come again', async () => {
    const path = `/shipping/rtt/live/fleet?country_id=BR&at=${new Date().toISOString()}`;
    await platform.clickhouse.cut();
    try {
      const answer = await fetch(`${platform.urls[0]}${path}`, {
        headers: { authorization: `Bearer ${acme.token}` },
      });
      expect(answer.status).toBe(500);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'sink_unavailable' });
    } finally {
      await platform.clickhouse.mend();
    }
  });
});

describe('a caller of a feed that is not for it', () => {
  it.each([
    ['/platform/live/positions'], ['/platform/live/facts'], ['/operator/live/facts'],
    ['/shipping/tracking/live/facts'],
  ])('gets nothing from %s', async (path) => {
    const answer = await followFeed(`${platform.urls[0]}${path}`, acme.token);
    expect(answer.status).toBe(403);
  });

  it('reads which parameter cannot be used', async () => {
    for (const [path, token] of [
      [`${FACTS}&kinds=device,device`, acme.token], [`${FACTS}&kinds=secrets`, acme.token],
      [`${MAP}&format=xml`, acme.token], ['/platform/live/positions?provider=A%20B', platformToken],
    ] as const) {
      expect((await followFeed(`${platform.urls[0]}${path}`, token)).status).toBe(400);
    }
  });
});
