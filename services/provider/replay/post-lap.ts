import type { Deliver, Delivery } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WaitingClock } from '../ports.ts';
import type { Accompany } from './companions.ts';
import type { DueFix } from './schedule.ts';

/** How a device posts. */
export interface PostConfig {
  /** Least time between two posts of a device, in milliseconds on the wall. */
  readonly postIntervalMs: number;
  readonly fixesPerPostMax: number;
}

/** A lap of one registered and started device. */
export interface DeviceLap {
  readonly device_id: string;
  readonly dues: readonly DueFix[];
  readonly beginMs: number;
  /** Sends what goes along with the fixes of a post, after it. */
  readonly accompany?: Accompany | undefined;
}

interface PostPorts {
  readonly deliver: Deliver;
  readonly requests: Requests;
  readonly ledger: Ledger;
  readonly clock: WaitingClock;
}

/**
 * Posts the fixes of a lap in their order, each time what has come due since the last post. `halt`
 * begins no further post, `cut` ends repeats too. False when the platform denies the device.
 */
export async function postLap(
  lap: DeviceLap, signals: { readonly halt: AbortSignal; readonly cut: AbortSignal },
  config: PostConfig, ports: PostPorts,
): Promise<boolean> {
  const { deliver, requests, ledger, clock } = ports;
  const { device_id, dues, beginMs } = lap;
  let next = 0;
  let notBeforeMs = beginMs;
  for (let due = dues[next]; due !== undefined; due = dues[next]) {
    const readyMs = Math.max(beginMs + due.dueMs, notBeforeMs);
    await clock.wait(readyMs - clock.nowMs(), signals.halt);
    if (signals.halt.aborted) return true;
    const nowMs = clock.nowMs();
    const until = endOfPost(dues, next, nowMs - beginMs, config.fixesPerPostMax);
    if (until === next) continue;
    const fixes = dues.slice(next, until).map(({ fix }) => fix);
    const post = ledger.begin(device_id, fixes);
    const delivery = await deliver(requests.locations(device_id, fixes, nowMs), signals.cut);
    ledger.end(post, delivery);
    if (isDenied(delivery)) return false;
    await lap.accompany?.(next, until, signals.cut);
    next = until;
    notBeforeMs = nowMs + config.postIntervalMs;
  }
  return true;
}

function endOfPost(
  dues: readonly DueFix[], next: number, elapsedMs: number, fixesMax: number,
): number {
  let until = next;
  for (const { dueMs } of dues.slice(next, next + fixesMax)) {
    if (dueMs > elapsedMs) break;
    until += 1;
  }
  return until;
}

/** 400 is about the body; any other refusal is about the device or the caller. */
function isDenied({ outcome, reply }: Delivery): boolean {
  return outcome === 'refused' && reply.kind === 'answer' && reply.status !== 400;
}
