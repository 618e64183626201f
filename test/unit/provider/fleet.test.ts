import { afterEach, describe, expect, it } from 'vitest';
import { createDeliver } from '../../../services/provider/client/deliver.ts';
import { createGate } from '../../../services/provider/client/gate.ts';
import { createRequests } from '../../../services/provider/client/requests.ts';
import { createSend } from '../../../services/provider/http/send.ts';
import { createLedger } from '../../../services/provider/ledger/ledger.ts';
import { createComparison } from '../../../services/provider/ledger/compare.ts';
import { identityOfSent } from '../../../services/provider/ledger/identity.ts';
import type { LedgerLine } from '../../../services/provider/ledger/lines.ts';
import { createFleet } from '../../../services/provider/replay/fleet.ts';
import type { Track } from '../../../services/provider/readers/track.ts';
import { startFakePlatform, type FakeAnswer, type SeenCall } from './fake-platform.ts';
import { createVirtualClock, until } from './virtual-clock.ts';

const NOW = 1_764_000_000_000;
const transport = { id: 42, license_plate: 'ABC1D23', country_id: 'BR' };
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const track: Track = {
  source: 'test', vehicle: 'v', country_id: 'BR', unsendable: 0,
  fixes: [0, 10, 10, 5, 20, 40].map((seconds, index) => ({
    timestamp: 1_500_000_000 + seconds, country_id: 'BR', latitude: index === 2 ? 1 : index,
    longitude: 7,
  })),
};

async function fleetBefore(script?: (call: SeenCall, count: number) => FakeAnswer | undefined) {
  const platform = await startFakePlatform(script);
  const clock = createVirtualClock(NOW);
  const connection = createSend({
    baseUrl: platform.url, socketsMax: 8, timeoutMs: 2_000, answerBytesMax: 10_000,
  });
  closers.push(connection.close, platform.close);
  const lines: LedgerLine[] = [];
  const ledger = createLedger('run', clock, (line) => lines.push(line));
  const deliver = createDeliver(
    { backoffFirstMs: 1_000, backoffMsMax: 8_000, throttledMs: 300_000 },
    {
      send: clock.holding(connection.send),
      gate: createGate({ inFlightMax: 8, requestsPerSecondMax: 1e6 }, clock),
      token: { current: () => Promise.resolve('token'), discard: () => {} },
      clock, random: () => 1, onLost: () => {},
    },
  );
  const fleet = createFleet([track], {
    provider: 'acme', speed: 1, lapSecondsMax: 1_000, lateStepSecondsMax: 300,
    postIntervalMs: 1_000, fixesPerPostMax: 10, lapMsMin: 10_000, refusedWaitMs: 5_000,
    transportIdFirst: 1, startSpreadMs: 0, devicesMax: 3,
  }, {
    deliver, requests: createRequests({ provider: 'acme', country_id: 'BR' }), ledger, clock,
    onLate: () => {},
  });
  return { platform, clock, fleet, ledger, lines };
}

describe('the fleet', () => {
  it('[CMD-08] holds id and plate after a start and registers a device for that transport',
    async () => {
      const { platform, fleet } = await fleetBefore();
      expect(fleet.startTransport(transport)).toBe(true);
      expect(fleet.transport(42)).toEqual(transport);
      await until(() => platform.callsTo('/locations').length > 0);
      const [call] = platform.callsTo('/shipping/rtt/devices?');
      expect(JSON.parse(call?.body ?? '')).toMatchObject({
        transport: { id: 42 }, external_entity: { entity_id: 'acme-42', entity_type: 'acme-unit' },
      });
      await fleet.drain(60_000);
    });

  it('[CMD-09] registers, starts, and sends with the returned id, in that order', async () => {
    const { platform, fleet } = await fleetBefore();
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 1);
    await fleet.drain(60_000);
    const paths = platform.calls.map((call) => call.path.replace(/\?.*/, ''));
    expect(paths.slice(0, 3)).toEqual([
      '/shipping/rtt/devices',
      '/shipping/rtt/devices/device-1/start_tracking',
      '/shipping/rtt/georeceiver/acme/locations',
    ]);
    expect(JSON.parse(platform.callsTo('/locations')[0]?.body ?? '')).toMatchObject({
      device_id: 'device-1', post_timestamp: NOW / 1000,
    });
  });

  it('[CMD-10] gives a repeated start and a repeated stop no second effect', async () => {
    const { platform, fleet } = await fleetBefore();
    fleet.startTransport(transport);
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 0);
    fleet.startTransport(transport);
    expect(fleet.counts().devices).toBe(1);
    fleet.stopTransport(42);
    fleet.stopTransport(42);
    await until(() => fleet.counts().devices === 0);
    fleet.stopTransport(42);
    expect(platform.callsTo('/shipping/rtt/devices?')).toHaveLength(1);
    expect(platform.callsTo('stop_tracking')).toHaveLength(1);
  });

  it('[CMD-11] stops the device after a stop, and sends nothing more for it', async () => {
    const { platform, clock, fleet } = await fleetBefore();
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 0);
    fleet.stopTransport(42);
    await until(() => fleet.counts().devices === 0);
    const posts = platform.callsTo('/locations').length;
    expect(platform.calls.at(-1)?.path).toContain('/devices/device-1/stop_tracking');
    await clock.wait(3_600_000);
    expect(platform.callsTo('/locations')).toHaveLength(posts);
    expect(fleet.transport(42)).toBeUndefined();
  });

  it('[CMD-11] does not even repeat what is in hand after a stop', async () => {
    const { platform, fleet, ledger } = await fleetBefore(
      (call) => (call.path.includes('/locations') ? { status: 500 } : undefined));
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 2);
    fleet.stopTransport(42);
    await until(() => fleet.counts().devices === 0);
    expect(platform.calls.at(-1)?.path).toContain('stop_tracking');
    expect(ledger.counts()).toMatchObject({ sent: 1, unknown: 1, in_hand: 0 });
  });

  it('registers again only after the stop of the earlier device has ended', async () => {
    const { platform, fleet } = await fleetBefore(
      (call, count) => (call.path.includes('stop_tracking') && count < 3 ? 'cut' : undefined));
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 0);
    fleet.stopTransport(42);
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/shipping/rtt/devices?').length > 1);
    const order = platform.calls.map((call) => call.path.replace(/\?.*/, '').split('/').at(-1));
    expect(order.lastIndexOf('devices')).toBeGreaterThan(order.lastIndexOf('stop_tracking'));
    await fleet.drain(60_000);
  });

  it('begins a next lap with a new registration when the track is at its end', async () => {
    const { platform, fleet } = await fleetBefore();
    fleet.startTransport(transport);
    await until(() => fleet.counts().laps >= 2);
    await fleet.drain(60_000);
    const [first = [], second = []] = ['device-1', 'device-2'].map((device_id) =>
      platform.callsTo('/locations')
        .map((call) => JSON.parse(call.body) as { device_id: string; locations: object[] })
        .filter((body) => body.device_id === device_id)
        .flatMap((body) => body.locations));
    expect(first).toHaveLength(track.fixes.length);
    expect(second).toHaveLength(track.fixes.length);
  });

  it('registers a denied device again, and goes on after 400', async () => {
    const { platform, fleet } = await fleetBefore((call, count) => {
      if (!call.path.includes('/locations')) return undefined;
      if (count === 1) return { status: 400 };
      return count === 2 ? { status: 403, body: { code: 'tracking_stopped' } } : undefined;
    });
    fleet.startTransport(transport);
    await until(() => platform.callsTo('/locations').length > 2);
    await fleet.drain(60_000);
    const devices = platform.callsTo('/locations')
      .map((call) => (JSON.parse(call.body) as { device_id: string }).device_id);
    expect(devices.slice(0, 3)).toEqual(['device-1', 'device-1', 'device-2']);
  });

  it('takes no start beyond its limit or while it ends', async () => {
    const { fleet } = await fleetBefore();
    for (const id of [1, 2, 3]) expect(fleet.startTransport({ ...transport, id })).toBe(true);
    expect(fleet.startTransport({ ...transport, id: 4 })).toBe(false);
    expect(await fleet.drain(60_000)).toBe(true);
    expect(fleet.startTransport({ ...transport, id: 5 })).toBe(false);
  });

  it('takes a start that comes after the end of its replay, which drives nothing', async () => {
    const { platform, fleet } = await fleetBefore();
    fleet.endReplay();
    expect(await fleet.drain(60_000)).toBe(true);
    expect(fleet.startTransport(transport)).toBe(true);
    expect(fleet.counts().devices).toBe(0);
    expect(platform.callsTo('/shipping/rtt/devices?')).toEqual([]);
  });

  it('gives up at the deadline when the platform never answers well', async () => {
    const { fleet, ledger } = await fleetBefore(
      (call) => (/locations|stop/.test(call.path) ? { status: 500 } : undefined));
    fleet.startTransport(transport);
    await until(() => ledger.counts().in_hand > 0);
    expect(await fleet.drain(60_000)).toBe(false);
    expect(fleet.counts().devices).toBe(0);
  });

  it('writes a ledger that balances against what the platform has taken', async () => {
    const { platform, fleet, lines, ledger } = await fleetBefore((call, count) =>
      (call.path.includes('/locations') && count % 3 === 0 ? 'cut' : undefined));
    fleet.addDevices(2);
    await until(() => fleet.counts().laps >= 2);
    await fleet.drain(60_000);
    const comparison = createComparison();
    for (const line of lines) comparison.addLine(line);
    const stored = new Set<string>();
    for (const call of platform.callsTo('/locations')) {
      const body = JSON.parse(call.body) as { device_id: string; locations: typeof track.fixes };
      for (const fix of body.locations) stored.add(identityOfSent(body.device_id, fix));
    }
    for (const identity of stored) comparison.addRow(identity);
    const balance = comparison.balance();
    expect(balance).toMatchObject({ lost: 0, doubled: 0, phantom: 0, dead: 0, unknown: 0 });
    expect(balance.accepted).toBe(balance.stored + balance.duplicates);
    expect(balance.duplicates).toBeGreaterThan(0);
    expect(balance.sent).toBe(ledger.counts().sent);
  });
});
