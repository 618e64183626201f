import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import type { AdmittedCaller } from '../../../services/kernel/admission.ts';
import { factsOf, latitudesOf, type Follower } from '../../support/follow-feed.ts';
import { openLiveEnv, type LiveCopy, type LiveEnv } from '../../support/live-env.ts';
import { lastFix } from '../../support/live-feeds.ts';

let env: LiveEnv;
beforeAll(async () => { env = await openLiveEnv(); }, 120_000);
afterAll(() => env.close());

const open: Follower[] = [];
const copies: LiveCopy[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.leave()));
  await Promise.all(copies.splice(0).map((each) => each.kill()));
});

const CLIENT: AdmittedCaller = {
  clientId: '1', userId: 'user-1', audience: 'rtt', scopes: ['query:read'], providers: ['acme'],
};
const MAP = '/shipping/rtt/live/positions?country_id=BR';
const FACTS = '/shipping/rtt/live/facts?country_id=BR';

async function copy(...more: Parameters<LiveEnv['copy']>): Promise<LiveCopy> {
  const opened = await env.copy(...more);
  copies.push(opened);
  return opened;
}

async function follow(at: LiveCopy, path: string, lastEventId?: string): Promise<Follower> {
  const follower = await at.follow(path, CLIENT, lastEventId);
  expect(follower.status).toBe(200);
  open.push(follower);
  return follower;
}

const until = (what: string, holds: () => boolean) => waitFor(holds, { what, deadlineMs: 20_000 });

let second = 0;

/** Appends a post of a device at a latitude, a second behind the one before. */
async function move(deviceId: string, latitude: number, client = '1'): Promise<void> {
  second += 1;
  const timestamp = 1_764_000_000 + second;
  await env.append({
    topic: TOPICS.locations.name, key: deviceId,
    value: Buffer.from(JSON.stringify({
      device_id: deviceId, post_timestamp: timestamp,
      locations: [{ timestamp, country_id: 'BR', latitude, longitude: 11.5 }],
    })),
    headers: {
      client, 'provider': 'acme', 'country': 'BR', 'n': '1', 'ingest-id': `i${second}`,
      'received-at': String(timestamp * 1_000),
    },
  });
}

/** Appends that tracking of a device began. */
async function start(deviceId: string): Promise<void> {
  await env.append({
    topic: TOPICS.deviceLifecycle.name, key: deviceId,
    value: Buffer.from(JSON.stringify({
      type: 'DeviceTrackingStarted', device_id: deviceId, client_id: '1',
    })),
    headers: { client: '1' },
  });
}

/** Appends that tracking of a device was stopped at this moment. */
async function stop(deviceId: string): Promise<void> {
  await env.append({
    topic: TOPICS.deviceLifecycle.name, key: deviceId,
    value: Buffer.from(JSON.stringify({
      type: 'DeviceTrackingStopped', device_id: deviceId, client_id: '1', at_ms: Date.now(),
    })),
    headers: { client: '1' },
  });
}

let decisions = 0;

/** Appends a decision about a device, as `rastro overflow` does. */
async function decide(deviceId: string, state: 'in' | 'out'): Promise<void> {
  decisions += 1;
  await env.append({
    topic: TOPICS.overflow.name, key: deviceId, headers: {},
    value: Buffer.from(JSON.stringify({
      type: 'OverflowRecorded', device_id: deviceId, state, version: decisions, at_ms: Date.now(),
    })),
  });
}

/** The state of each device on the map of who applied these events. */
function statesOf(events: ReturnType<Follower['events']>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(events.flatMap(({ data }) => (
    (data['positions'] ?? []) as unknown[][]).map(([id, ...row]) => [String(id), row[6]])));
}

const isLike = (shown: Readonly<Record<string, unknown>>, wanted: object): boolean => (
  Object.entries(wanted).every(([id, state]) => shown[id] === state));

const startedOf = (followers: readonly Follower[]): readonly unknown[] => (
  followers.flatMap((each) => factsOf(each.events())).map(({ fact }) => fact['device_id'])
);

describe('live feeds over a real log', () => {
  it('show the last positions of the store and what the log has behind them', async () => {
    env.known.splice(0, Infinity, lastFix('kept', 0, 3), lastFix('moved', 0, 4));
    const at = await copy();
    const line = await follow(at, MAP);
    await move('moved', 5);
    await move('new', 6);
    await until('All of them', () => Object.keys(latitudesOf(line.events())).length === 3);
    expect(latitudesOf(line.events())).toEqual({ kept: 3, moved: 5, new: 6 });
  });

  it('end at the last positions at another copy when theirs is killed', async () => {
    const [one, other] = [await copy(), await copy()];
    const first = await follow(one, MAP);
    await move('a', 1);
    await until('The first', () => latitudesOf(first.events())['a'] === 1);
    await one.kill();
    await first.ended;
    await move('a', 2);
    const again = await follow(other, MAP, first.lastId());
    await until('The last', () => latitudesOf(again.events())['a'] === 2);
    expect(again.events().map(({ event }) => event)).not.toContain('reset');
  });

  it('say reset when the log was cut before it was read, and show what the store knows', async () => {
    const at = await copy();
    const line = await follow(at, MAP);
    const facts = await follow(at, FACTS);
    await move('a', 3);
    await until('The first', () => latitudesOf(line.events())['a'] === 3);
    env.known.splice(0, Infinity, lastFix('a', 1_000, 9));
    const extents = await env.topics.follower.extents([TOPICS.locations.name]);
    expect(extents.some(({ end }) => end > 0n)).toBe(true);
    await at.kill();
    const id = facts.lastId();
    await start('lost');
    await env.cut(TOPICS.deviceLifecycle.name);
    const later = await copy();
    const again = await follow(later, FACTS, id);
    await until('The reset', () => again.events().length > 0);
    expect(again.events()[0]).toMatchObject({ event: 'reset', data: { reason: 'removed' } });
    const map = await follow(later, MAP);
    await until('The map', () => latitudesOf(map.events())['a'] === 9);
  });

  it('miss and double no fact across kills of copies, with a reading again from the log', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `d${nth}`);
    const readers: Follower[] = [];
    let at = await copy();
    let id: string | undefined;
    for (const [nth, name] of names.entries()) {
      if (nth % 10 === 0) {
        if (nth > 0) {
          await at.kill();
          await readers.at(-1)?.ended;
          id = readers.at(-1)?.lastId();
          await start(`${name}-between`);
          at = await copy({ factsKeptMax: 2 });
        }
        readers.push(await follow(at, FACTS, id));
      }
      await start(name);
    }
    const wanted = names.flatMap((name, nth) => (
      nth % 10 === 0 && nth > 0 ? [`${name}-between`, name] : [name]
    ));
    await until('All facts', () => startedOf(readers).length >= wanted.length);
    expect(startedOf(readers).toSorted()).toEqual(wanted.toSorted());
    expect(readers.flatMap((each) => each.events()).map(({ event }) => event))
      .not.toContain('reset');
  });

  it('rest while no caller follows, and lack nothing after that', async () => {
    const at = await copy({ restAfterMs: 2_000 });
    const first = await follow(at, FACTS);
    await start('seen');
    await until('The first fact', () => startedOf([first]).length === 1);
    await first.leave();
    await until('The rest', () => at.rests() > 0);
    await start('unseen');
    await move('moved-unseen', 7);
    const [facts, map] = [await follow(at, FACTS, first.lastId()), await follow(at, MAP)];
    await start('after');
    await until('All facts', () => startedOf([facts]).length === 2);
    expect(startedOf([facts])).toEqual(['unseen', 'after']);
    await until('The position', () => latitudesOf(map.events())['moved-unseen'] === 7);
    expect(facts.events().map(({ event }) => event)).not.toContain('reset');
  });

  it('know stopped devices and what is in overflow after a rest, and at another copy', async () => {
    env.known.splice(0, Infinity, lastFix('to-stop', 0, 3), lastFix('to-move', 0, 4));
    const states = `${MAP}&states=true`;
    const at = await copy({ restAfterMs: 500 });
    const line = await follow(at, states);
    await stop('to-stop');
    await decide('to-move', 'in');
    const wanted = { 'to-stop': 'stopped', 'to-move': 'overflow' };
    await until('The states', () => isLike(statesOf(line.events()), wanted));
    // As the projector does: a stopped device is in no fleet, and has its last fix.
    env.stopped.push(...env.known.splice(0, 1));
    const rests = at.rests();
    await line.leave();
    await until('The rest', () => at.rests() > rests);
    const [woken, other] = [await follow(at, states), await follow(await copy(), states)];
    for (const again of [woken, other]) {
      await until('The states again', () => isLike(statesOf(again.events()), wanted));
    }
    await decide('to-move', 'out');
    for (const again of [woken, other]) {
      await until('The end', () => isLike(statesOf(again.events()), { ...wanted, 'to-move': null }));
    }
    const plain = await follow(at, MAP);
    await until('The map', () => latitudesOf(plain.events())['to-move'] === 4);
    expect(Object.keys(latitudesOf(plain.events()))).not.toContain('to-stop');
  });

  it('end when the caller may no longer call, and when it has other rights than before', async () => {
    const at = await copy();
    const [gone, changed] = [await follow(at, FACTS), await follow(at, MAP)];
    at.admit({ ...CLIENT, providers: [] });
    await Promise.all([gone.ended, changed.ended]);
    const again = await at.follow(FACTS, { ...CLIENT, scopes: [] });
    expect(again.status).toBe(403);
  });

  it('give each kind of caller nothing of another, whatever comes', async () => {
    const at = await copy();
    const callers: Readonly<Record<string, readonly [string, AdmittedCaller]>> = {
      own: [`${FACTS}&kinds=device,receipt,dead_letter,command`, CLIENT],
      map: [MAP, CLIENT],
      bytes: [`${MAP}&format=binary`, CLIENT],
      carrier: ['/shipping/tracking/live/facts?kinds=journey,receipt,dead_letter', {
        ...CLIENT, audience: 'tracking-pull',
      }],
    };
    const followers = await Promise.all(Object.values(callers).map(async ([path, caller]) => {
      const follower = await at.follow(path, caller);
      expect(follower.status).toBe(200);
      open.push(follower);
      return follower;
    }));
    const platform = await at.follow('/platform/live/facts?kinds=receipt', {
      ...CLIENT, clientId: '3', audience: 'platform', scopes: ['platform:read'],
    });
    open.push(platform);
    for (let nth = 0; nth < 20; nth += 1) await move(`foreign-${nth}`, nth, '2');
    await until('The platform', () => factsOf(platform.events()).length === 20);
    await move('own', 1);
    await until('The own', () => factsOf(followers[0]?.events() ?? []).length === 1);
    for (const follower of followers) {
      expect(follower.bytes().toString('latin1')).not.toMatch(/foreign|"2"/);
    }
  });
});
