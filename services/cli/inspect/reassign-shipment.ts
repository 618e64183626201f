import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import { REAPPLIES } from '../../kernel/record-id.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type {
  JourneyRecorded, NotificationRecorded, NotificationRecordId, ShipmentOwner, ShipmentReassigned,
} from '../../kernel/shipments.ts';
import { recordIdName } from '../../domain/journey/projection.ts';
import { readClients } from '../client/log.ts';
import { notFound } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { readerOfKey } from '../watch/tail.ts';
import { factsUnder, type FactInLog } from './facts.ts';

/** What giving a number to a carrier takes. */
export type ReassignPorts = Pick<
  OperatorPorts, 'log' | 'reader' | 'watch' | 'rangeReader' | 'clock'
>;

const APPEND_MS_MAX = 15_000;

/**
 * Gives a tracking number to a carrier, and sends to the log again, in their order, what that
 * carrier notified about it and what was kept apart. Again after a failure it goes on; what was
 * applied already is known by its record id and changes nothing.
 */
export async function reassignShipment(
  ports: ReassignPorts, spelling: string, to: string,
): Promise<Report> {
  const number = canonicalNumber(spelling);
  if (!(await readClients(ports.reader)).has(to)) return notFound(`No client ${to}.`);
  if (!await isKnown(readerOfKey(ports, number), number)) {
    return notFound(`The log knows no notification of ${number}.`);
  }
  const at_ms = ports.clock.nowMs();
  await recordReassignment(ports, {
    type: 'ShipmentReassigned', tracking_number: number, carrier_client_id: to, at_ms,
  });
  const kept = await keptApart(readerOfKey(ports, number), number, to);
  for (const each of kept) {
    await sendAgain(ports, each, { client_id: to, basis: 'reassignment', at_ms });
  }
  const value = { tracking_number: number, carrier: to, applied_again: kept.length };
  return {
    value,
    lines: [`${number} is ${to}'s; ${kept.length} notifications that were kept apart follow.`],
    exitCode: 0,
  };
}

/** A typing error would give a number away that another shipment may get. */
async function isKnown(reader: LogReader, number: string): Promise<boolean> {
  const found = await factsUnder(reader, TOPICS.notifications.name, ({ key }) => key === number);
  return found.length > 0;
}

async function recordReassignment(ports: ReassignPorts, fact: ShipmentReassigned): Promise<void> {
  await ports.log.append({
    topic: TOPICS.authorizations.name,
    key: fact.tracking_number,
    value: Buffer.from(JSON.stringify(fact)),
    headers: { client: fact.carrier_client_id, 'received-at': String(fact.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}

/** Notifications of a carrier whose last outcome is that they were kept apart, oldest first. */
async function keptApart(
  reader: LogReader, number: string, client: string,
): Promise<readonly FactInLog<NotificationRecorded>[]> {
  const outcomes = new Map<string, JourneyRecorded['outcome']>();
  const journey = await factsUnder<JourneyRecorded>(
    reader, TOPICS.journey.name, ({ key }) => key === number,
  );
  for (const { fact } of journey) {
    outcomes.set(recordIdName(fact.reapplies ?? fact.notification), fact.outcome);
  }
  const notifications = await factsUnder<NotificationRecorded>(
    reader, TOPICS.notifications.name, ({ key, headers }) => (
      key === number && headers['client'] === client
    ),
  );
  return notifications.filter((each) => outcomes.get(recordIdName(recordIdOf(each))) === 'disputed');
}

/** One that was sent again and kept apart again is still the one that it was at first. */
function recordIdOf({ record }: FactInLog<NotificationRecorded>): NotificationRecordId {
  const { topicId, partition, offset } = record;
  return { topic_id: topicId, partition, offset: Number(offset) };
}

async function sendAgain(
  ports: ReassignPorts, { record }: FactInLog<NotificationRecorded>, owner: ShipmentOwner,
): Promise<void> {
  const { topicId, partition, offset, headers } = record;
  const fact = parseExact(record.value.toString('utf8')) as object;
  await ports.log.append({
    topic: TOPICS.notifications.name,
    key: record.key,
    value: Buffer.from(JSON.stringify({ ...fact, owner })),
    headers: { ...headers, [REAPPLIES]: headers[REAPPLIES] ?? `${topicId}:${partition}:${offset}` },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
