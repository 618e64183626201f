import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceTracks, TrackQuestion } from '../../services/kernel/device-tracks.ts';
import type { SentTrackFix, SentTrackPost } from './fake-device-tracks.ts';

/** One kind of tracks and the way to fill them. */
export interface OpenedTracks {
  readonly tracks: DeviceTracks;
  send(posts: readonly SentTrackPost[]): Promise<void>;
  close(): Promise<void>;
}

const DAY_S = 86_400;
const START = (Math.floor(Date.now() / 1_000 / DAY_S) - 20) * DAY_S;
const [A, B] = ['100000000000001', '100000000000002'];

/** What every kind of {@link DeviceTracks} does. */
export function deviceTracksSuite(open: () => Promise<OpenedTracks>): void {
  let opened: OpenedTracks;
  let devices = 0;
  beforeAll(async () => { opened = await open(); });
  afterAll(() => opened.close());

  const fix = (at: number, more: Partial<SentTrackFix> = {}): SentTrackFix => (
    { timestamp: START + at, latitude: -23.5 - at / 1e7, longitude: -46.5, ...more }
  );
  /** A device of which each fix comes in a post of its own, 3 seconds later. */
  async function deviceWith(fixes: readonly SentTrackFix[], client = A): Promise<string> {
    const device = `track-${devices += 1}`;
    await opened.send(fixes.map((each) => (
      { device, client, receivedAtMs: (each.timestamp + 3) * 1_000, fixes: [each] })));
    return device;
  }
  const ask = (deviceId: string, change: Partial<TrackQuestion> = {}) => opened.tracks.find({
    deviceId, clientId: undefined, sinceSeconds: START, untilSeconds: START + DAY_S, limit: 100,
    ...change,
  });
  const timesOf = (items: readonly { readonly timestamp: number }[]): readonly number[] => (
    items.map(({ timestamp }) => timestamp - START)
  );

  it('has every member of a fix and of what was measured with it', async () => {
    const device = await deviceWith([fix(10, {
      bearing: 90, telemetry: { speed: 54.5, ignition: true, odometer: 120.25, fuel_level: 70 },
    }), fix(20)]);
    const { fixes, readings } = await ask(device);
    expect(fixes).toEqual({
      total: 2, every: 1,
      items: [
        {
          timestamp: START + 10, latitude: -23.500001, longitude: -46.5, country_id: 'BR',
          provider: 'acme', received_at_ms: (START + 13) * 1_000, flags: [], speed: 54.5,
          bearing: 90, accuracy: undefined, ignition: true, odometer: 120.25,
          gap_seconds: undefined,
        },
        expect.objectContaining({ timestamp: START + 20, speed: undefined, ignition: undefined }),
      ],
    });
    expect(readings).toEqual({
      total: 1, every: 1, items: [{ at_ms: (START + 10) * 1_000, fuel_level: 70 }],
    });
  });

  it('is of one device and client, from a second on and before another', async () => {
    const device = await deviceWith([fix(-1), fix(0), fix(599), fix(600)]);
    await opened.send([{
      device, client: B, receivedAtMs: (START + 303) * 1_000, fixes: [fix(300)],
    }]);
    const until = START + 600;
    expect(timesOf((await ask(device, { untilSeconds: until })).fixes.items))
      .toEqual([0, 300, 599]);
    expect(timesOf((await ask(device, { untilSeconds: until, clientId: A })).fixes.items))
      .toEqual([0, 599]);
    expect(timesOf((await ask(device, { untilSeconds: until, clientId: B })).fixes.items))
      .toEqual([300]);
    expect((await ask('no-such-device')).fixes).toEqual({ items: [], total: 0, every: 1 });
  });

  it('has what comes late in its order, and what comes again once', async () => {
    const device = await deviceWith([fix(0), fix(60)]);
    const late = { device, client: A, receivedAtMs: (START + 3 * DAY_S) * 1_000, fixes: [fix(30)] };
    await opened.send([late, { ...late, fixes: [fix(0), fix(60)] }]);
    const { fixes } = await ask(device);
    expect(fixes.items.map(({ timestamp, received_at_ms, flags }) => (
      [timestamp - START, received_at_ms / 1_000 - START, flags]
    ))).toEqual([[0, 3, []], [30, 3 * DAY_S, ['stale']], [60, 63, []]]);
  });

  it('keeps each n-th of many counted from the last one, and says so', async () => {
    const device = await deviceWith(Array.from({ length: 25 }, (_, n) => (
      fix(n, { telemetry: { fuel_level: n } }))));
    const { fixes, readings } = await ask(device, { limit: 10 });
    expect([fixes.total, fixes.every, timesOf(fixes.items)])
      .toEqual([25, 3, [0, 3, 6, 9, 12, 15, 18, 21, 24]]);
    expect([readings.total, readings.every, readings.items.map(({ fuel_level }) => fuel_level)])
      .toEqual([25, 3, [0, 3, 6, 9, 12, 15, 18, 21, 24]]);
    expect((await ask(device, { limit: 25 })).fixes).toMatchObject({ total: 25, every: 1 });
    expect((await ask(device, { limit: 1 })).fixes.items.map(({ timestamp }) => timestamp - START))
      .toEqual([24]);
  });

  it('says how long a silence of over 900 s was, and keeps both its ends', async () => {
    const device = await deviceWith([0, 1, 2, 902, 1_803, 1_804, 1_805].map((at) => fix(at)));
    const gapsOf = async (limit: number) => (await ask(device, { limit })).fixes.items
      .map(({ timestamp, gap_seconds }) => [timestamp - START, gap_seconds]);
    expect(await gapsOf(10)).toEqual([
      [0, undefined], [1, undefined], [2, undefined], [902, undefined], [1_803, 901],
      [1_804, undefined], [1_805, undefined],
    ]);
    expect(await gapsOf(1)).toEqual([[902, undefined], [1_803, 901], [1_805, undefined]]);
  });

  it('has the outcomes of each call, by the time of its receipt', async () => {
    const device = await deviceWith([fix(0)]);
    const sent = (at: number, fixes: readonly SentTrackFix[], client = A) => (
      { device, client, receivedAtMs: (START + at) * 1_000, fixes });
    await opened.send([
      sent(60, [fix(0), fix(50)]),
      sent(70, [fix(-401 * DAY_S), fix(65)]),
      sent(80, [fix(70)], B),
      sent(-1, [fix(-5)]), sent(DAY_S, [fix(90)]),
    ]);
    const outcomes = async (change: Partial<TrackQuestion> = {}) => (await ask(device, change))
      .posts?.items.map(({ received_at_ms: at, items, stored, duplicate, outlier }) => (
        [at / 1_000 - START, items, stored, duplicate, outlier]));
    expect(await outcomes()).toEqual([
      [3, 1, 1, 0, 0], [60, 2, 1, 1, 0], [70, 2, 1, 0, 1], [80, 1, 1, 0, 0],
    ]);
    expect((await outcomes({ clientId: B }))).toEqual([[80, 1, 1, 0, 0]]);
    const { posts } = await ask(device, { limit: 1 });
    expect([posts?.total, posts?.every]).toEqual([4, 4]);
    expect(await outcomes({ limit: 1 })).toEqual([
      [60, 2, 1, 1, 0], [70, 2, 1, 0, 1], [80, 1, 1, 0, 0],
    ]);
    expect(posts?.items[0]).toMatchObject({
      kind: 'locations', provider: 'acme', dead_lettered: 0, waiting: 0, code: '',
      ingest_id: expect.any(String),
    });
    expect((await ask('no-such-device')).posts).toEqual({ items: [], total: 0, every: 1 });
  });

  it('names odd fixes, also one that is years off, by its receipt', async () => {
    const device = await deviceWith([
      fix(0), fix(10), fix(20, { latitude: -22 }), fix(30), fix(40),
    ]);
    await opened.send([{
      device, client: A, receivedAtMs: (START + 50) * 1_000,
      fixes: [fix(50 - 619_315_200, { latitude: -23.5 })],
    }]);
    const { oddFixes, oddTotal, fixes } = await ask(device, { clientId: A });
    expect(oddTotal).toBe(2);
    expect(oddFixes).toEqual([
      {
        kind: 'gps_week_rollover', timestamp: START + 50 - 619_315_200, latitude: -23.5,
        longitude: -46.5, off_seconds: -619_315_200, received_at_ms: (START + 50) * 1_000,
        provider: 'acme',
      },
      expect.objectContaining({ kind: 'jump', timestamp: START + 20, off_seconds: -3 }),
    ]);
    expect(fixes.total).toBe(5);
    expect((await ask(device, { clientId: B })).oddFixes).toEqual([]);
    expect((await ask(device, { untilSeconds: START + 20 })).oddTotal).toBe(0);
  });
}
