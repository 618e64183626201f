import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Decision } from '../../kernel/decider.ts';
import type { ClaimAnswer, DeviceEvent, DeviceStates, StoredDevice } from '../../kernel/devices.ts';
import { Unavailable, isUnavailable } from '../../kernel/unavailable.ts';
import type { Call } from '../../kernel/http.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { PersonalSeals } from '../../kernel/personal.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { deviceDecider, type DeviceCommand } from '../../domain/device/device.ts';
import { sealDeviceFact, subjectsOf } from '../../domain/device/sealed-device.ts';

/** How long a caller that lost a race waits for the winner, and how often it looks, in ms. */
export interface SettleConfig {
  readonly raceWaitMsMax: number;
  readonly racePollMs: number;
}

/** What deciding about devices needs from outside. */
export interface DevicePorts {
  readonly states: DeviceStates;
  readonly personal: PersonalSeals;
  /** A hash under the pepper, for names of entities. */
  readonly keyed: Digest;
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly ids: Ids;
}

/** What came of a command: the device after it, or that there is none. */
export type Settled =
  | { readonly kind: 'changed' | 'unchanged'; readonly device: StoredDevice }
  | { readonly kind: 'missing' };

/** How one command reads its state and claims its fact. */
export interface Attempt {
  readonly load: () => Promise<StoredDevice | undefined>;
  readonly commandOn: (device: StoredDevice | undefined) => DeviceCommand;
  readonly claim: (event: DeviceEvent, claimId: string) => Promise<ClaimAnswer>;
}

/**
 * Load, decide, claim, append, confirm. Repeats while somebody else decides about the same device,
 * at most `raceWaitMsMax`; then `Unavailable` `state_busy`. Nothing is answered before the fact is
 * both in the log and in the state store.
 */
export async function settle(
  config: SettleConfig, ports: DevicePorts, call: Call, attempt: Attempt,
): Promise<Settled> {
  const until = Math.min(call.deadlineMs, ports.clock.nowMs() + config.raceWaitMsMax);
  const claimId = ports.ids.nonce();
  for (;;) {
    const device = await attempt.load();
    const decision = deviceDecider.decide(attempt.commandOn(device), device);
    const event = factOf(decision);
    if (event === undefined) {
      return decision.kind === 'unchanged' && device !== undefined
        ? { kind: 'unchanged', device }
        : { kind: 'missing' };
    }
    const claimed = await attempt.claim(event, claimId);
    if (claimed === 'taken') {
      const settled = await changed(ports, call, claimId, device, event);
      if (settled !== undefined) return settled;
    }
    if (ports.clock.nowMs() >= until) {
      throw new Unavailable('state_busy', 'decide', `device ${event.device_id} is being decided`);
    }
    await ports.pause(config.racePollMs);
  }
}

function factOf(decision: Decision<DeviceEvent>): DeviceEvent | undefined {
  return decision.kind === 'happened' ? decision.events[0] : undefined;
}

/** Undefined when the claim was lost on the way: whoever looks again finds it done already. */
async function changed(
  ports: DevicePorts, call: Call, claimId: string,
  device: StoredDevice | undefined, event: DeviceEvent,
): Promise<Settled | undefined> {
  const recorded = await appendClaimed(ports, call, claimId, event);
  const isOurs = await ports.states.confirm(recorded, claimId);
  if (!isOurs) return undefined;
  const after = deviceDecider.evolve(device, event);
  if (after === undefined) throw new Unavailable('internal', 'decide', 'a fact without a device');
  return { kind: 'changed', device: after };
}

/**
 * The fact as it went into the log, what is personal sealed. One that the log certainly did not
 * take frees its claim; an unknown outcome keeps it.
 */
async function appendClaimed(
  ports: DevicePorts, call: Call, claimId: string, decided: DeviceEvent,
): Promise<DeviceEvent> {
  let isUnderWay = false;
  try {
    const keys = await ports.personal.forWriting(subjectsOf(decided), call.deadlineMs);
    const event = sealDeviceFact(keys, decided);
    isUnderWay = true;
    await ports.log.append({
      topic: 'rtt.device-lifecycle.v1',
      key: event.device_id,
      value: Buffer.from(JSON.stringify(event)),
      headers: {
        client: event.client_id,
        country: event.country_id,
        epoch: String(event.epoch),
        'received-at': String(call.receivedAtMs),
      },
    }, call.deadlineMs);
    return event;
  } catch (error) {
    const certain = !isUnderWay || (isUnavailable(error) && error.code !== 'log_timeout');
    if (certain) await ports.states.release(decided, claimId);
    throw error;
  }
}
