import type { Long } from '../../kernel/longs.ts';
import type { DeviceResource } from '../../../schemas/generated/types.ts';
import { parseAnswer } from '../client/answer.ts';
import type { Deliver, Delivery } from '../client/deliver.ts';
import type { RegisteredDevice, Requests } from '../client/requests.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WaitingClock } from '../ports.ts';
import type { Track } from '../readers/track.ts';
import type { BeginLap } from './companions.ts';
import { postLap, type PostConfig } from './post-lap.ts';
import { planLap, type LapConfig } from './schedule.ts';

/** How a device lives. */
export interface DeviceConfig extends LapConfig, PostConfig {
  /** Shortest lap: a track of one fix must not register in a tight loop. */
  readonly lapMsMin: number;
  /** Wait after a refusal before the device is registered again. */
  readonly refusedWaitMs: number;
}

/** One device to replay: who it says it is, and what it drives. */
export interface DeviceUnit {
  readonly entity_id: string;
  readonly transport_id: Long;
  readonly track: Track;
  readonly firstRow: number;
  readonly startDelayMs: number;
  /** The end of an earlier device of the same entity, which must be stopped first. */
  readonly after: Promise<void> | undefined;
}

/** What a device needs; `onTracking` and `onLap` keep the fleet's counts. */
export interface FleetDevicePorts {
  readonly deliver: Deliver;
  readonly requests: Requests;
  readonly ledger: Ledger;
  readonly clock: WaitingClock;
  readonly onTracking: (change: 1 | -1) => void;
  readonly onLap: () => void;
  /** Sends more than locations, where wanted. */
  readonly beginLap?: BeginLap;
}

/** A running device and the three degrees of ending it. */
export interface RunningDevice {
  /** Ends when the device is stopped at the platform, or given up. */
  readonly done: Promise<void>;
  /** Begins no new post; what is in hand is delivered, then the device is stopped. */
  readonly halt: () => void;
  /** As halt, and nothing in hand is repeated any more (CMD-11). */
  readonly cut: () => void;
  /** As cut, and the stop itself is not repeated any more. */
  readonly abandon: () => void;
}

/** Registers, starts, replays and stops one device, lap after lap, until it is ended. */
export function runDevice(
  unit: DeviceUnit, config: DeviceConfig, ports: FleetDevicePorts,
): RunningDevice {
  const { deliver, requests, clock } = ports;
  const halt = new AbortController();
  const cut = new AbortController();
  const abandon = new AbortController();
  const signals = { halt: halt.signal, cut: cut.signal };

  async function run(): Promise<void> {
    await unit.after;
    await clock.wait(unit.startDelayMs, halt.signal);
    let row = unit.firstRow;
    while (!halt.signal.aborted) {
      const device_id = await enter();
      if (device_id === undefined) {
        await clock.wait(config.refusedWaitMs, halt.signal);
        continue;
      }
      ports.onTracking(1);
      const beginMs = clock.nowMs();
      const lap = planLap(unit.track.fixes, row, beginMs, config);
      const fixes = lap.dues.map(({ fix }) => fix);
      const accompany = ports.beginLap?.(device_id, unit, fixes);
      const posting = { device_id, dues: lap.dues, beginMs, accompany };
      const welcome = await postLap(posting, signals, config, ports);
      const endMs = beginMs + Math.max(config.lapMsMin, lap.durationMs);
      if (welcome) await clock.wait(endMs - clock.nowMs(), halt.signal);
      await deliver(requests.stop(named(device_id)), abandon.signal);
      ports.onTracking(-1);
      ports.onLap();
      row = lap.nextRow;
      if (!welcome) await clock.wait(config.refusedWaitMs, halt.signal);
    }
  }

  /** Registers and starts; a start in progress when the device is ended still gets its stop. */
  async function enter(): Promise<string | undefined> {
    const { entity_id, transport_id, track } = unit;
    const model = `${track.source}/${track.vehicle}`;
    const request = requests.register({ entity_id, transport_id, model });
    const device_id = readDeviceId(await deliver(request, halt.signal));
    if (device_id === undefined) return undefined;
    const started = await deliver(requests.start(named(device_id)), halt.signal);
    if (started.outcome === 'accepted') return device_id;
    if (halt.signal.aborted) await deliver(requests.stop(named(device_id)), abandon.signal);
    return undefined;
  }

  /** Start and stop name the device or its entity; every fourth transport does the latter. */
  function named(device_id: string): RegisteredDevice {
    return Number(unit.transport_id) % 4 === 0 ? { entity_id: unit.entity_id } : { device_id };
  }

  const end = (...controllers: AbortController[]) => () => {
    for (const controller of controllers) controller.abort();
  };
  return {
    done: run(),
    halt: end(halt),
    cut: end(halt, cut),
    abandon: end(halt, cut, abandon),
  };
}

function readDeviceId(delivery: Delivery): string | undefined {
  if (delivery.outcome !== 'accepted' || delivery.reply.kind !== 'answer') return undefined;
  const id = parseAnswer<DeviceResource>(delivery.reply.body)?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
