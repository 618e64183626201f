import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import { notificationRecorded, subjectsOf } from '../../../domain/journey/notification.ts';
import { epochMsOf } from '../../../kernel/date-time.ts';
import { parseExact, withoutNulls } from '../../../kernel/exact-json.ts';
import {
  readNotifications, type ReadNotification,
} from '../../../domain/journey/read-notifications.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Digest } from '../../../kernel/digest.ts';
import type { FeedName, FeedRead, StoredFeed } from '../../../kernel/feeds.ts';
import type { Refusal } from '../../../kernel/http.ts';
import type { ProofImages } from '../../../kernel/images.ts';
import {
  shipmentSubject, type PersonalSeals, type SubjectKeys,
} from '../../../kernel/personal.ts';
import type { RecordHeaders, RecordLog } from '../../../kernel/record-log.ts';
import { fitsTopic, tooLarge } from '../../../kernel/record-size.ts';
import { sealedJson } from '../../../kernel/sealed-json.ts';
import { finish } from '../../../kernel/steps.ts';
import type { ShipmentOwner } from '../../../kernel/shipments.ts';
import { checkWritten, type SchemaCheck } from '../../../kernel/schemas.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { uuidOf } from '../../../kernel/uuid.ts';
import type { DeadLetters } from '../../common/dead-letters.ts';
import type { SplitPage } from './split-page.ts';

/** Reads bytes as exactly one JSON value, as strictly as those of a push. */
export type ReadItem = (bytes: Buffer) =>
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** What taking a page needs. */
export interface TakePorts {
  readonly log: RecordLog;
  readonly images: Pick<ProofImages, 'read' | 'readLong' | 'keep'>;
  readonly personal: PersonalSeals;
  readonly deadLetters: DeadLetters;
  readonly readItem: ReadItem;
  /** The schema of a pushed body, which one notification alone follows too. */
  readonly checkItem: SchemaCheck;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** The origin of a page: whose feed, which client it counts as, and what was read before it. */
export interface PageOrigin {
  readonly name: FeedName;
  readonly clientId: string;
  /** Whose the number was known to be when the poll began. */
  readonly owner: ShipmentOwner | undefined;
  readonly before: Pick<StoredFeed, 'items' | 'pages' | 'cursor'>;
}

type Reading =
  | { readonly ok: true; readonly item: Buffer; readonly notification: ReadNotification }
  | { readonly ok: false; readonly item: Buffer; readonly refusal: Refusal };

/**
 * Puts a page into the log, item after item, and then the fact that it is there, which it answers.
 * What cannot be a notification goes to the dead letters. Rejects with an Unavailable when
 * something does not become durable: then the page is read again, and what of it is in the log
 * already comes once more under the same ingest ids.
 */
export async function takePage(
  ports: TakePorts, origin: PageOrigin, page: SplitPage, deadlineMs: number,
): Promise<FeedRead> {
  const receivedAtMs = ports.clock.nowMs();
  const readings = page.items.map((item) => readItem(ports, origin.name, item));
  const keys = await keysFor(ports, origin.name, readings, deadlineMs);
  for (const [index, reading] of readings.entries()) {
    const headers = {
      'ingest-id': ingestIdOf(ports.digest, origin.name, origin.before.items + index),
      'received-at': String(receivedAtMs),
      client: origin.clientId,
      source: 'pull',
    };
    const refusal = reading.ok
      ? await append(ports, { keys, ...origin }, reading.notification, headers, deadlineMs)
      : reading.refusal;
    if (refusal !== undefined) {
      await reject(ports, keys, origin, { index, headers, item: reading.item, refusal });
    }
    ports.signals.feedItemRead({ outcome: refusal === undefined ? 'appended' : 'dead_letter' });
  }
  const fact: FeedRead = {
    type: 'FeedRead',
    ...origin.name,
    items: origin.before.items + page.items.length,
    pages: origin.before.pages + 1,
    cursor: page.cursor,
    at_ms: ports.clock.nowMs(),
  };
  const { carrier, tracking_number } = origin.name;
  await ports.log.append({
    topic: TOPICS.feeds.name,
    key: `${carrier}|${tracking_number}`,
    value: Buffer.from(JSON.stringify(fact)),
    headers: {},
  }, deadlineMs);
  return fact;
}

/** Checks an item like a pushed body, and that it is about the shipment that was asked for. */
function readItem(ports: TakePorts, name: FeedName, item: Buffer): Reading {
  const exact = ports.readItem(item);
  if (!exact.ok) return { ...exact, item };
  if (Array.isArray(exact.value)) return refused(item, 'An item is one notification, not a list.');
  const value = withoutNulls(parseExact(item.toString('utf8')));
  const explain = checkWritten(ports.checkItem, exact.value, value);
  if (explain !== undefined) return { ok: false, item, refusal: explain() };
  const [notification] = finish(readNotifications({ value, texts: new Map() }, ports.images));
  if (notification?.trackingNumber !== name.tracking_number) {
    return refused(item, '/tracking_number is not that of the feed.');
  }
  return { ok: true, item, notification };
}

/** The key of the shipment, when anything of the page is personal. */
function keysFor(
  { personal }: TakePorts, { tracking_number }: FeedName, readings: readonly Reading[],
  deadlineMs: number,
): Promise<SubjectKeys> {
  const subjects = readings.flatMap((reading) => (
    reading.ok ? subjectsOf(reading.notification) : [shipmentSubject(tracking_number)]
  ));
  return personal.forWriting(subjects, deadlineMs);
}

/**
 * The image is durable before the record that refers to it. After an erasure none is kept. Answers
 * why the item cannot be in the log at all, if so.
 */
async function append(
  { log, images, signals }: TakePorts,
  { keys, owner }: { readonly keys: SubjectKeys } & Pick<PageOrigin, 'owner'>, item: ReadNotification,
  headers: RecordHeaders, deadlineMs: number,
): Promise<Refusal | undefined> {
  const { trackingNumber, notification, image } = item;
  const isKept = image !== undefined && !keys.isErased(shipmentSubject(trackingNumber));
  const kept = isKept ? await images.keep(trackingNumber, image) : undefined;
  const recorded = notificationRecorded(
    keys, trackingNumber, notification, { image: kept, owner },
  );
  const { name: topic, message_bytes_max } = TOPICS.notifications;
  const value = sealedJson(recorded);
  const record = { topic, key: trackingNumber, value, headers };
  if (!fitsTopic(record, message_bytes_max)) return tooLarge();
  await log.append(record, deadlineMs);
  const occurredAtMs = epochMsOf(notification.payload.date);
  if (occurredAtMs === undefined) return undefined;
  const ageMs = Number(headers['received-at']) - occurredAtMs;
  signals.feedItemAged({ seconds: Math.max(0, ageMs) / 1_000 });
  return undefined;
}

interface Rejected {
  readonly index: number;
  readonly headers: RecordHeaders;
  readonly item: Buffer;
  readonly refusal: Refusal;
}

/**
 * An item was never in the log: its origin is the feed, and its offset the items before it. It may
 * hold anything, so the dead letter seals all of it.
 */
function reject(
  { deadLetters }: TakePorts, keys: SubjectKeys, { name, before }: PageOrigin,
  { index, headers, item, refusal }: Rejected,
): Promise<void> {
  const subject = shipmentSubject(name.tracking_number);
  const personal = keys.seal('DeadLetter', subject, { item: item.toString('base64') });
  return deadLetters.write({
    topic: `feed:${name.carrier}`.slice(0, 255),
    topicId: '',
    partition: 0,
    offset: BigInt(before.items + index),
    rawKey: Buffer.from(name.tracking_number),
    rawValue: Buffer.from(JSON.stringify({ personal })),
    headers: { ...headers, cursor: before.cursor ?? '' },
    timestampMs: Number(headers['received-at']),
  }, 'puller', refusal.code, refusal.detail);
}

/**
 * A UUID (version 8) that says the how-manieth item of which feed this is, so that an item that
 * comes into the log again is known by it, whatever page it comes with.
 */
function ingestIdOf(digest: Digest, name: FeedName, origin: number): string {
  return uuidOf(digest(JSON.stringify([name.carrier, name.tracking_number, origin])));
}

function refused(item: Buffer, detail: string): Reading {
  return { ok: false, item, refusal: { code: 'validation_failed', detail } };
}
