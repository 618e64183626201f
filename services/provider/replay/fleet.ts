import type { Long } from '../../kernel/longs.ts';
import type { CommandTransport } from '../../../schemas/generated/types.ts';
import type { Track } from '../readers/track.ts';
import {
  runDevice, type DeviceConfig, type FleetDevicePorts, type RunningDevice,
} from './device.ts';

/** How many devices there are and how they are named. */
export interface FleetConfig extends DeviceConfig {
  readonly provider: string;
  /** Transport ids of the devices that run without a command begin here. */
  readonly transportIdFirst: number;
  /** Time over which the first starts are spread. */
  readonly startSpreadMs: number;
  readonly devicesMax: number;
}

/** Counts of the fleet for the status page. */
export interface FleetCounts {
  readonly devices: number;
  readonly tracking: number;
  readonly laps: number;
}

/** All devices of this provider, by the transport they ride on. */
export interface Fleet {
  /** Runs so many devices of its own accord, as after as many start commands. */
  readonly addDevices: (count: number) => void;
  /**
   * False when the fleet is full or leaving; the platform then repeats the command. A transport
   * that is monitored stays as it is, and after the end of the replay a start drives nothing.
   */
  readonly startTransport: (transport: CommandTransport) => boolean;
  readonly stopTransport: (transport_id: Long) => void;
  /** What was stored of a monitored transport (CMD-08). */
  readonly transport: (transport_id: Long) => CommandTransport | undefined;
  /** Ends all devices; what is in hand may be delivered for so long. True when all ended so. */
  readonly drain: (deadlineMs: number) => Promise<boolean>;
  /** No track is left from now on, though the provider goes on answering. */
  readonly endReplay: () => void;
  readonly counts: () => FleetCounts;
}

/** What a fleet needs; `onLate` is called when a drain is over its time. */
export type ProviderFleetPorts = Omit<FleetDevicePorts, 'onTracking' | 'onLap'> & {
  readonly onLate: () => void;
};

interface Entry {
  readonly transport: CommandTransport;
  readonly device: RunningDevice;
}

/** Rows by which a further device on the same track begins later, a prime to spread them. */
const REUSE_STEP_ROWS = 101;

/** Creates an empty fleet over the tracks; at least one track is needed. */
export function createFleet(
  tracks: readonly Track[], config: FleetConfig,
  fleetPorts: ProviderFleetPorts,
): Fleet {
  const monitored = new Map<Long, Entry>();
  const running = new Set<RunningDevice>();
  const endings = new Map<Long, Promise<void>>();
  let ending = false;
  let isOver = false;
  let tracking = 0;
  let laps = 0;
  let dealt = 0;

  const ports: FleetDevicePorts = {
    ...fleetPorts,
    onTracking: (change) => { tracking += change; },
    onLap: () => { laps += 1; },
  };

  function launch(transport: CommandTransport, startDelayMs: number): void {
    const track = tracks[dealt % tracks.length] as Track;
    const firstRow = (Math.floor(dealt / tracks.length) * REUSE_STEP_ROWS) % track.fixes.length;
    dealt += 1;
    const entity_id = `${config.provider}-${transport.id}`;
    const after = endings.get(transport.id);
    const transport_id = transport.id;
    const unit = { entity_id, transport_id, track, firstRow, startDelayMs, after };
    const device = runDevice(unit, config, ports);
    running.add(device);
    monitored.set(transport.id, { transport, device });
    void device.done.then(() => running.delete(device));
  }

  function startTransport(transport: CommandTransport): boolean {
    if (isOver || monitored.has(transport.id)) return true;
    if (ending || running.size >= config.devicesMax) return false;
    launch(transport, 0);
    return true;
  }

  function stopTransport(transport_id: Long): void {
    const entry = monitored.get(transport_id);
    if (entry === undefined) return;
    monitored.delete(transport_id);
    entry.device.cut();
    const ended = entry.device.done.then(() => {
      if (endings.get(transport_id) === ended) endings.delete(transport_id);
    });
    endings.set(transport_id, ended);
  }

  function drain(deadlineMs: number): Promise<boolean> {
    ending = true;
    return endAll([...running], deadlineMs, fleetPorts);
  }

  return {
    addDevices(count) {
      for (let index = 0; index < count; index += 1) {
        const id = config.transportIdFirst + index;
        const delayMs = Math.floor((config.startSpreadMs * index) / count);
        if (running.size < config.devicesMax) launch(ownTransport(id), delayMs);
      }
    },
    startTransport,
    stopTransport,
    transport: (transport_id) => monitored.get(transport_id)?.transport,
    drain,
    endReplay: () => { isOver = true; },
    counts: () => ({ devices: running.size, tracking, laps }),
  };
}

/** Halts the devices; at the deadline aborts them. True when none was aborted. */
async function endAll(
  devices: readonly RunningDevice[], deadlineMs: number, ports: ProviderFleetPorts,
): Promise<boolean> {
  for (const device of devices) device.halt();
  const all = Promise.all(devices.map((device) => device.done)).then(() => true);
  const late = new AbortController();
  const timeout = ports.clock.wait(deadlineMs, late.signal).then(() => false);
  const inTime = await Promise.race([all, timeout]);
  late.abort();
  if (!inTime) {
    for (const device of devices) device.abandon();
    ports.onLate();
  }
  await all;
  return inTime;
}

function ownTransport(id: number): CommandTransport {
  return { id, license_plate: `REPLAY${id}`, country_id: 'US' };
}
