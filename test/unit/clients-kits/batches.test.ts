import { describe, expect, it } from 'vitest';
import { ItemTooLarge, SenderClosed } from '../../../services/clients/typescript/src/index.ts';
import { accepted, fix, problem, scene, timestampsOf, type KitCall } from './fake-gateway.ts';

const MIB = 1_048_576;
const range = (from: number, to: number): number[] => (
  Array.from({ length: to - from }, (_, nth) => from + nth)
);
const sizes = (calls: readonly KitCall[]): number[] => (
  calls.map(({ body }) => body.locations?.length ?? 0)
);

describe('items of one device', () => {
  it('that are sent one by one go in one call, and in their order', async () => {
    const { open, calls } = scene();
    const client = await open();
    await Promise.all(range(0, 50).map((time) => client.sendLocations('d1', [fix(time)])));
    await client.flush();
    expect(sizes(calls)).toEqual([50]);
    expect(timestampsOf(calls, 'd1')).toEqual(range(0, 50));
    await client.close();
  });

  it('are at most 1,000 a call, and exactly 1,000 are one call', async () => {
    const { open, calls } = scene();
    const client = await open();
    await client.sendLocations('d1', range(0, 1_000).map(fix));
    await client.sendLocations('d1', range(1_000, 2_001).map(fix));
    await client.flush();
    expect(sizes(calls)).toEqual([1_000, 1_000, 1]);
    expect(timestampsOf(calls, 'd1')).toEqual(range(0, 2_001));
    await client.close();
  });

  it('have at most the bytes of a body', async () => {
    const { open, calls } = scene();
    const client = await open();
    const large = (time: number): object => ({
      ...fix(time), metadata: range(0, 20).map((nth) => ({ name: `n${nth}`, value: 'é'.repeat(1_000) })),
    });
    await client.sendLocations('d1', range(0, 60).map((time) => large(time) as ReturnType<typeof fix>));
    await client.flush();
    expect(sizes(calls).reduce((sum, size) => sum + size, 0)).toBe(60);
    const bytes = calls.map(({ text }) => Buffer.byteLength(text));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(MIB);
    expect(bytes[0]).toBeGreaterThan(MIB - 45_000);
    await client.close();
  });

  it('that are too large alone are refused at once, on both sides of the limit', async () => {
    const { open, calls } = scene();
    const client = await open();
    const frame = Buffer.byteLength(JSON.stringify(fix(1))) + Buffer.byteLength('"device_id":"d1"') + 1 + 100;
    const padded = (more: number): ReturnType<typeof fix> => (
      { ...fix(1), country_id: `BR${'x'.repeat(MIB - frame + more)}` }
    );
    await client.sendLocations('d1', [padded(0)]);
    await expect(client.sendLocations('d1', [padded(1)])).rejects.toThrow(ItemTooLarge);
    await client.flush();
    expect(sizes(calls)).toEqual([1]);
    expect(Buffer.byteLength(calls[0]?.text ?? '')).toBeLessThanOrEqual(MIB);
    await client.close();
  });

  it('go to the address of their call, with what it wants around them', async () => {
    const { open, calls } = scene();
    const client = await open();
    await client.sendEvents('d1', [{
      name: 'harsh_braking', start_date: '2026-01-01T00:00:00Z', end_date: '2026-01-01T00:00:01Z',
    }]);
    const device = { external_id: 'e1', external_type: 'driver' };
    const { country_id: _, ...delivered } = fix(7);
    await client.sendDeliveryLocations({ device, traceables: [{ id: 't1', type: 'parcel' }] }, [delivered]);
    await client.sendDeliveryLocations({ device, traceables: [{ id: 't2', type: 'parcel' }] }, [delivered]);
    await client.flush();
    expect(calls.map(({ path }) => path)).toEqual([
      '/shipping/rtt/georeceiver/acme/telemetry/events?country_id=BR',
      '/shipping/rtt/georeceiver/proximity/acme/locations?country_id=BR',
      '/shipping/rtt/georeceiver/proximity/acme/locations?country_id=BR',
    ]);
    expect(calls.slice(1).map(({ body }) => body)).toMatchObject([
      { device, traceables: [{ id: 't1' }], post_timestamp: 1_767_225_600, locations: [delivered] },
      { device, traceables: [{ id: 't2' }], locations: [delivered] },
    ]);
    await client.close();
  });

  it('with other traceables are another call, also when they are sent at once', async () => {
    const { open, calls } = scene();
    const client = await open();
    const device = { external_id: 'e1', external_type: 'driver' };
    const { country_id: _, ...delivered } = fix(7);
    await Promise.all(['t1', 't2'].map((id) => (
      client.sendDeliveryLocations({ device, traceables: [{ id, type: 'parcel' }] }, [delivered])
    )));
    await client.flush();
    expect(calls).toHaveLength(2);
    await client.close();
  });
});

describe('devices', () => {
  it('have one call in progress each, and the next waits for its answer', async () => {
    const inProgress = new Map<string, number>();
    let most = 0;
    const { open, calls } = scene(async ({ body }, nth) => {
      const device = body.device_id ?? '';
      inProgress.set(device, (inProgress.get(device) ?? 0) + 1);
      most = Math.max(most, inProgress.get(device) ?? 0);
      for (let ticks = 0; ticks < 5; ticks += 1) await new Promise(setImmediate);
      inProgress.set(device, (inProgress.get(device) ?? 0) - 1);
      return nth % 3 === 0 ? problem(500, 'internal') : accepted();
    });
    const client = await open();
    for (const time of range(0, 20)) {
      await Promise.all(['d1', 'd2'].map((device) => client.sendLocations(device, [fix(time)])));
    }
    await client.flush();
    expect(most).toBe(1);
    const firstTries = [...new Set(timestampsOf(calls, 'd1'))];
    expect(firstTries).toEqual(range(0, 20));
    await client.close();
  });

  it('are served side by side, at most as many as callsMax', async () => {
    const slow = async (): Promise<Response> => {
      for (let ticks = 0; ticks < 5; ticks += 1) await new Promise(setImmediate);
      return accepted();
    };
    const fast = { callsPerSecond: 1e6, itemsPerSecond: 1e9, bytesPerSecond: 1e12 };
    const { open, inFlightMost } = scene(slow);
    const client = await open({ callsMax: 3, rates: fast });
    await Promise.all(range(0, 12).map((nth) => client.sendLocations(`d${nth}`, [fix(1)])));
    await client.flush();
    expect(inFlightMost()).toBe(3);
    await client.close();
  });

  it('that fail take no call from others', async () => {
    const { open, calls } = scene(({ body, atMs }) => body.device_id?.startsWith('bad') === true && atMs < 60_000
      ? problem(500, 'internal') : accepted());
    const client = await open({ callsMax: 2 });
    await Promise.all(['bad1', 'bad2', 'bad3', 'good'].map((device) => client.sendLocations(device, [fix(1)])));
    await client.flush();
    expect(calls.find(({ body }) => body.device_id === 'good')?.atMs).toBeLessThan(1_000);
    await client.close();
  });

  it('together keep the rates of the client', async () => {
    const { open, calls } = scene();
    const client = await open({ rates: { callsPerSecond: 10, itemsPerSecond: 100 } });
    await Promise.all(range(0, 20).map((nth) => client.sendLocations(`d${nth}`, [fix(1)])));
    await client.flush();
    expect((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeCloseTo(1_900, -1);
    await client.sendLocations('big', range(0, 1_000).map(fix));
    await client.sendLocations('next', [fix(1)]);
    await client.flush();
    expect((calls.at(-1)?.atMs ?? 0) - (calls.at(-2)?.atMs ?? 0)).toBeGreaterThanOrEqual(9_000);
    await client.close();
  });

  it('are called as often as deviceCallsPerSecond allows', async () => {
    const { open, calls } = scene();
    const client = await open({ rates: { deviceCallsPerSecond: 2 } });
    await client.sendLocations('d1', range(0, 4_000).map(fix));
    await client.flush();
    expect(calls).toHaveLength(4);
    expect((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_499);
    await client.close();
  });
});

describe('a full buffer', () => {
  it('holds the caller back until batches are accepted, first come, first served', async () => {
    let isOpen = false;
    const { open, calls } = scene(() => isOpen ? accepted() : problem(500, 'internal'));
    const client = await open({ bufferBytes: 1_000 });
    const done: number[] = [];
    const sends = range(0, 10).map(async (nth) => {
      await client.sendLocations('d1', [fix(nth), fix(nth), fix(nth)]);
      done.push(nth);
    });
    while (calls.length < 5) await new Promise(setImmediate);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBeLessThan(5);
    isOpen = true;
    await Promise.all(sends);
    await client.flush();
    expect(done).toEqual(range(0, 10));
    expect([...new Set(timestampsOf(calls, 'd1'))]).toEqual(range(0, 10));
    await client.close();
  });

  it('takes what is larger than it when nothing else is in it', async () => {
    const { open, calls } = scene();
    const client = await open({ bufferBytes: 100 });
    await client.sendLocations('d1', range(0, 100).map(fix));
    await client.sendLocations('d1', range(0, 100).map(fix));
    await client.flush();
    expect(sizes(calls)).toEqual([100, 100]);
    await client.close();
  });

  it('lets a waiting caller go with an error when the client is closed', async () => {
    const { open, calls } = scene(() => problem(500, 'internal'));
    const client = await open({ bufferBytes: 100 });
    await client.sendLocations('d1', [fix(1)]);
    const waiting = client.sendLocations('d1', [fix(2)]);
    const flushed = client.flush();
    waiting.catch(() => undefined);
    flushed.catch(() => undefined);
    while (calls.length === 0) await new Promise(setImmediate);
    await client.close();
    await expect(waiting).rejects.toThrow(SenderClosed);
    await expect(flushed).rejects.toThrow(SenderClosed);
    await expect(client.sendLocations('d1', [fix(3)])).rejects.toThrow(SenderClosed);
  });
});
