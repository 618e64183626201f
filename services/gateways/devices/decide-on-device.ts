import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ClaimAnswer, DeviceEvent, DeviceStates, StoredDevice } from '../../kernel/devices.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Call } from '../../kernel/http.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { PersonalSeals } from '../../kernel/personal.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { deviceDecider, type DeviceCommand } from '../../domain/device/device.ts';
import { sealDeviceFact, subjectsOf } from '../../domain/device/sealed-device.ts';
import {
  decideAndAppend, type Attempt, type RaceConfig, type RacePorts,
} from '../common/decide-and-append.ts';

/** What deciding about devices needs from outside. */
export interface DeviceDecisionPorts extends RacePorts {
  readonly states: DeviceStates;
  readonly personal: PersonalSeals;
  /** A hash under the pepper, for names of entities. */
  readonly keyed: Digest;
  readonly log: RecordLog;
  readonly ids: Ids;
}

/** The result of a command: the device after it, or that there is none. */
export type DeviceOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly device: StoredDevice }
  | { readonly kind: 'missing' };

/** How one command reads the device that it is about, and claims its fact. */
export interface DeviceAttempt {
  readonly load: () => Promise<StoredDevice | undefined>;
  readonly commandOn: (device: StoredDevice | undefined) => DeviceCommand;
  readonly claim: (event: DeviceEvent, claimId: string) => Promise<ClaimAnswer>;
}

/** A decided fact, the device that it was decided on, and the fact as it goes into the log. */
interface DeviceFact {
  readonly before: StoredDevice | undefined;
  readonly event: DeviceEvent;
  readonly recorded: DeviceEvent;
}

/** Decides one command about a device; see {@link decideAndAppend}. */
export function decideOnDevice(
  config: RaceConfig, ports: DeviceDecisionPorts, call: Call,
  { load, commandOn, claim }: DeviceAttempt,
): Promise<DeviceOutcome> {
  const claimId = ports.ids.nonce();
  const attempt: Attempt<StoredDevice | undefined, DeviceFact, DeviceOutcome> = {
    about: 'the device',
    load,
    decide(before) {
      const decision = deviceDecider.decide(commandOn(before), before);
      const event = decision.kind === 'happened' ? decision.events[0] : undefined;
      if (event !== undefined) return { kind: 'go', fact: { before, event, recorded: event } };
      const isUnchanged = decision.kind === 'unchanged' && before !== undefined;
      return {
        kind: 'done',
        outcome: isUnchanged ? { kind: 'unchanged', device: before } : { kind: 'missing' },
      };
    },
    claim: async (fact) => (
      await claim(fact.event, claimId) === 'taken' ? { kind: 'go', fact } : { kind: 'busy' }
    ),
    async seal(fact) {
      const keys = await ports.personal.forWriting(subjectsOf(fact.event), call.deadlineMs);
      return { ...fact, recorded: sealDeviceFact(keys, fact.event) };
    },
    append: ({ recorded }) => append(ports.log, call, recorded),
    async confirm({ before, event, recorded }) {
      const isOurs = await ports.states.confirm(recorded, claimId);
      // Deciding again finds it done already.
      if (!isOurs) return { kind: 'lost', next: 'decide', isWorthWaiting: false };
      const device = deviceDecider.evolve(before, event);
      if (device === undefined) throw new Unavailable('internal', 'decide', 'a fact without a device');
      return { kind: 'done', outcome: { kind: 'changed', device } };
    },
    release: ({ event }) => ports.states.release(event, claimId),
  };
  return decideAndAppend(config, ports, call.deadlineMs, attempt);
}

function append(log: RecordLog, call: Call, event: DeviceEvent): Promise<void> {
  return log.append({
    topic: TOPICS.deviceLifecycle.name,
    key: event.device_id,
    value: Buffer.from(JSON.stringify(event)),
    headers: {
      client: event.client_id,
      country: event.country_id,
      epoch: String(event.epoch),
      'received-at': String(call.receivedAtMs),
    },
  }, call.deadlineMs);
}
