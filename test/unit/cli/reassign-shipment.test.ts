import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { reassignShipment } from '../../../services/cli/inspect/reassign-shipment.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { aNotification } from '../../support/notifications.ts';

const AT_MS = 1_800_000_000_000;
const { notifications, journey, clients, authorizations } = TOPICS;
let log: LogRecord[];
let appended: FakeRecordLog;

function append(topic: string, key: string, value: object, headers = {}): number {
  log.push(aLogRecord(topic, log.length, value, { key, headers }));
  return log.length - 1;
}

/** A notification of a client about N1, and its outcome. */
function notified(client: string, code: string, outcome: string): number {
  const offset = append(notifications.name, 'N1', {
    type: 'NotificationRecorded', notification: { ...aNotification(code), tracking_number: 'n1' },
  }, { client, 'ingest-id': `call-${code}`, 'received-at': '17', source: 'push' });
  const { topicId, partition } = log[offset]!;
  append(journey.name, 'N1', {
    type: 'JourneyRecorded', client_id: client, outcome,
    notification: { topic_id: topicId, partition, offset },
  });
  return offset;
}

function reassign(to: string, number = ' n1') {
  return reassignShipment({
    ...fakeWatchedLog(log), log: appended, clock: { nowMs: () => AT_MS },
  }, number, to);
}

describe('rastro shipment reassign', () => {
  beforeEach(() => {
    log = [];
    appended = fakeRecordLog();
    append(clients.name, '200', {
      type: 'ClientRecorded', client_id: '200', version: 1, secrets: [],
    });
    notified('100', 'EX-HUB', 'applied');
  });

  it('[NOT-48] says whose the number is, and sends again what was kept apart, in its order', async () => {
    const kept = [notified('200', 'C1', 'disputed'), notified('200', 'C2', 'disputed')];
    notified('300', 'C3', 'disputed');
    expect(await reassign('200')).toMatchObject({
      exitCode: 0, value: { tracking_number: 'N1', carrier: '200', applied_again: 2 },
    });
    expect(appended.of(authorizations.name)).toMatchObject([{
      key: 'N1',
      value: {
        type: 'ShipmentReassigned', tracking_number: 'N1', carrier_client_id: '200', at_ms: AT_MS,
      },
    }]);
    const again = appended.of(notifications.name);
    expect(again.map(({ headers }) => headers['reapplies']?.split(':').at(-1)))
      .toEqual(kept.map(String));
    expect(again[0]).toMatchObject({
      key: 'N1',
      headers: { client: '200', 'ingest-id': 'call-C1', 'received-at': '17', source: 'push' },
      value: {
        type: 'NotificationRecorded',
        notification: { code: 'C1', tracking_number: 'n1' },
        owner: { client_id: '200', basis: 'reassignment', at_ms: AT_MS },
      },
    });
  });

  it('[NOT-48] sends nothing again that was applied since', async () => {
    const offset = notified('200', 'C1', 'disputed');
    const { topicId, partition } = log[offset]!;
    append(journey.name, 'N1', {
      type: 'JourneyRecorded', client_id: '200', outcome: 'applied',
      notification: { topic_id: topicId, partition, offset: 99 },
      reapplies: { topic_id: topicId, partition, offset },
    });
    expect(await reassign('200')).toMatchObject({ value: { applied_again: 0 } });
    expect(appended.of(notifications.name)).toEqual([]);
  });

  it('refuses a client that there is not, and writes nothing', async () => {
    expect((await reassign('999')).exitCode).toBe(3);
    expect(await reassign('200', 'N2')).toMatchObject({
      exitCode: 3, value: { error: 'The log knows no notification of N2.' },
    });
    expect(appended.appended).toEqual([]);
  });
});
