import { notificationRecorded, subjectsOf } from '../../../domain/journey/notification.ts';
import {
  readNotifications, type ReadNotification,
} from '../../../domain/journey/read-notifications.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { ProofImages } from '../../../kernel/images.ts';
import { shipmentSubject, type PersonalSeals, type SubjectKeys } from '../../../kernel/personal.ts';
import type { OutgoingRecord, RecordLog } from '../../../kernel/record-log.ts';
import type { ShipmentStates } from '../../../kernel/shipments.ts';
import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { AcceptedResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import {
  decideAndAppend, type Attempt, type Confirmation, type RaceConfig, type RacePorts,
} from '../../common/decide-and-append.ts';
import { notificationErrors } from '../error-form.ts';

type PushCall = CallOf<'push-notifications'>;

/** What the push needs from outside. */
export interface PushPorts extends RacePorts {
  readonly shipments: Pick<ShipmentStates, 'claim' | 'confirm'>;
  readonly images: ProofImages;
  readonly personal: PersonalSeals;
  readonly log: RecordLog;
  readonly ids: Ids;
}

/**
 * `POST /shipping/tracking/notifications`: what carriers report about shipments, one or up to 500,
 * all or none (interface, 4; decisions.md, Push of notifications). 202 says that every one of them
 * is durable; its outcome is decided behind the log, so that it depends on the log alone.
 */
export function pushNotifications(config: RaceConfig, ports: PushPorts): Operation {
  return defineOperation('push-notifications', {
    keepsNumbers: true,
    errors: notificationErrors,
    handle: (call) => handle(config, ports, call),
  });
}

async function handle(config: RaceConfig, ports: PushPorts, call: PushCall): Promise<Answer> {
  const text = Buffer.from(call.canonical).toString('utf8');
  const attempt = appendForCarrier(ports, call, readNotifications(text, ports.images));
  return decideAndAppend(config, ports, call.deadlineMs, attempt);
}

/** Whose the shipments of a call are: the caller's, or reserved for it until they are confirmed. */
type Claimed = 'owned' | 'reserved';

/**
 * Makes sure that every shipment of a call is the caller's before its notifications are appended.
 * While another carrier has one reserved, its owner is not known: the call waits for that, and
 * is not refused. A caller that lost its reservation waits until the first in the log is known.
 */
function appendForCarrier(
  ports: PushPorts, call: PushCall, notifications: readonly ReadNotification[],
): Attempt<undefined, Claimed, Answer> {
  const { clientId } = call.caller;
  const shipments = byShipment(notifications);
  const trackingNumbers = [...shipments.keys()];
  let ingestId = '';
  const accepted = (): Confirmation<Answer> => {
    const body: AcceptedResponse = { status: 202, message: 'Accepted' };
    const headers = { 'Ingest-Id': ingestId };
    return { kind: 'done', outcome: { kind: 'answer', status: 202, body, headers } };
  };
  return {
    about: 'a shipment of the call',
    load: async () => undefined,
    // Nothing to decide: what a notification means for its shipment is decided behind the log.
    decide: () => ({ kind: 'go', fact: 'reserved' }),
    async claim() {
      const claimed = await ports.shipments.claim(trackingNumbers, clientId);
      if (claimed === 'busy') return { kind: 'busy' };
      return claimed === 'foreign'
        ? { kind: 'done', outcome: FOREIGN }
        : { kind: 'go', fact: claimed };
    },
    async append() {
      ingestId = ports.ids.ingestId();
      const subjects = notifications.flatMap(subjectsOf);
      const keys = await ports.personal.forWriting(subjects, call.deadlineMs);
      await appendAll({ ports, call, ingestId, keys }, [...shipments.values()]);
    },
    async confirm(claimed) {
      if (claimed === 'owned') return accepted();
      const whose = await ports.shipments.confirm(trackingNumbers, clientId);
      if (whose === 'owned') return accepted();
      if (whose === 'unknown') return { kind: 'lost', next: 'confirm', isWorthWaiting: true };
      throw new Unavailable('state_busy', 'decide', 'another carrier notified the same shipment first');
    },
  };
}

const FOREIGN: Answer = {
  kind: 'refusal', code: 'shipment_not_allowed',
  detail: 'A shipment of this call belongs to another carrier.',
};

/** What all notifications of one call have in common. */
interface Receipt {
  readonly ports: PushPorts;
  readonly call: PushCall;
  readonly ingestId: string;
  readonly keys: SubjectKeys;
}

/** Their order within a call is the order in which they were received. */
function byShipment(
  notifications: readonly ReadNotification[],
): ReadonlyMap<string, readonly ReadNotification[]> {
  return Map.groupBy(notifications, ({ trackingNumber }) => trackingNumber);
}

/**
 * Side by side for different shipments, one after the other for the same: what a failure leaves
 * behind is the beginning of each shipment, and the repeated call brings the rest. Every append has
 * ended before this does.
 */
async function appendAll(
  receipt: Receipt, shipments: readonly (readonly ReadNotification[])[],
): Promise<void> {
  const endings = await Promise.allSettled(shipments.map(async (notifications) => {
    for (const each of notifications) {
      await receipt.ports.log.append(await recordOf(receipt, each), receipt.call.deadlineMs);
    }
  }));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

/** The image is durable before the record that refers to it. After an erasure none is kept. */
async function recordOf(
  { ports: { images }, call, ingestId, keys }: Receipt, each: ReadNotification,
): Promise<OutgoingRecord> {
  const { trackingNumber, notification, image } = each;
  const isKept = image !== undefined && !keys.isErased(shipmentSubject(trackingNumber));
  const kept = isKept ? await images.keep(trackingNumber, image) : undefined;
  const recorded = notificationRecorded(keys, trackingNumber, notification, kept);
  return {
    topic: TOPICS.notifications.name,
    key: trackingNumber,
    value: Buffer.from(JSON.stringify(recorded)),
    headers: {
      'ingest-id': ingestId,
      'received-at': String(call.receivedAtMs),
      client: call.caller.clientId,
      source: 'push',
    },
  };
}
