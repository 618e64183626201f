import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { createJourneyWorker } from '../../../services/workers/journey/pipeline.ts';
import { createJourneyApplier } from '../../../services/workers/journey/replay-journeys.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { SAMPLE_CODES } from '../../support/journeys.ts';
import { aNotification } from '../../support/notifications.ts';
import { memoryShipments } from '../../support/memory-states.ts';
import { readRecord } from '../../support/read-record.ts';

const TOPIC = 'shipment.notifications.v1';
const JOURNEY = 'shipment.journey.v1';
const clock = { nowMs: () => 1_764_000_009_000 };

function notification(offset: number, code: string, key = 'RST1'): ReturnType<typeof aLogRecord> {
  const date = `2026-11-20T10:${String(offset % 60).padStart(2, '0')}:00Z`;
  const value = { type: 'NotificationRecorded', notification: aNotification(code, { date }) };
  return aLogRecord(TOPIC, offset, value, {
    key, headers: { client: 'carrier-1', 'received-at': '1764000000000', 'ingest-id': `c${offset}` },
  });
}

describe('The shipment projector', () => {
  let log: FakeRecordLog;
  let shipments: ReturnType<typeof memoryShipments>;
  let projector: LogHandler;
  beforeEach(() => {
    log = fakeRecordLog();
    shipments = memoryShipments();
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    const deadLetters = createDeadLetters(
      { worker: 'journey', codeVersion: '9', appendMsMax: 1_000 }, { log, clock, signals: silentSignals },
    );
    projector = createJourneyWorker(
      { poisonedMin: 3, poisonedRatioMax: 0.5, appendMsMax: 1_000 },
      {
        readRecord, codes: SAMPLE_CODES, shipments, log,
        digest, deadLetters, clock, signals: silentSignals
      },
    );
  });
  const journeyEvents = () => log.of(JOURNEY).map(({ value }) => value as JourneyRecorded);

  it('[NOT-31] [NOT-36] [NOT-38] classifies each shipment alone, in the order of the log', async () => {
    const committed = await projector.onRecords([
      notification(1, 'EX-HUB'), notification(2, 'EX-HUB', 'RST2'), notification(3, 'EX-DELIVERED'), notification(4, 'EX-HUB'),
      notification(5, 'EX-ON-ROUTE', 'RST2'),
    ]);
    expect(committed).toEqual([{ topic: TOPIC, partition: 0, nextOffset: 6n }]);
    const outcomes = (key: string) => journeyEvents()
      .filter(({ tracking_number }) => tracking_number === key).map(({ outcome }) => outcome);
    expect(outcomes('RST1')).toEqual(['applied', 'applied', 'ignored_after_final']);
    expect(outcomes('RST2')).toEqual(['applied', 'applied']);
    expect((await shipments.find('RST1'))?.state).toMatchObject({ status: 'delivered', final: true });
    expect(await shipments.find('RST2')).toMatchObject({
      carrier_client_id: 'carrier-1', state: { status: 'out_for_delivery', final: false },
    });
  });

  it('[NOT-40] knows a repeat by its content, in whatever order its fields are', async () => {
    const first = notification(1, 'EX-HUB');
    const { payload, ...codes } = (JSON.parse(first.value.toString()) as {
      notification: ReturnType<typeof aNotification>;
    }).notification;
    const again = { ...notification(2, 'EX-HUB'), value: Buffer.from(JSON.stringify(
      { notification: { payload, ...codes }, type: 'NotificationRecorded' },
    )) };
    await projector.onRecords([first, again]);
    expect(journeyEvents().map(({ outcome }) => outcome)).toEqual(['applied', 'duplicate']);
  });

  it('says the same again after a crash between log and store, and then nothing more', async () => {
    const batch = [notification(1, 'EX-HUB'), notification(2, 'EX-DELIVERED'), notification(3, 'EX-HUB')];
    shipments.putJourneys = async () => { throw new Error('the process dies here'); };
    await expect(projector.onRecords(batch)).rejects.toThrow('dies');
    const first = journeyEvents();
    Object.assign(shipments, { putJourneys: memoryShipments().putJourneys });
    await projector.onRecords(batch);
    expect(journeyEvents().slice(first.length)).toEqual(first);
  });

  it('changes nothing when records come again', async () => {
    await projector.onRecords([notification(1, 'EX-HUB'), notification(2, 'EX-DELIVERED')]);
    const before = shipments.journeys();
    await projector.onRecords([notification(1, 'EX-HUB'), notification(2, 'EX-DELIVERED')]);
    expect(shipments.journeys()).toEqual(before);
    expect(journeyEvents()).toHaveLength(2);
  });

  it('waits while the store is being rebuilt, and a rebuilt store is the same', async () => {
    await projector.onRecords([notification(1, 'EX-HUB'), notification(2, 'EX-ON-ROUTE'), notification(3, 'EX-HUB', 'RST2')]);
    const before = shipments.journeys();
    shipments.wipe();
    await expect(projector.onRecords([notification(4, 'EX-LOST')])).rejects
      .toMatchObject({ code: 'state_not_ready' });
    expect(journeyEvents()).toHaveLength(3);
    const replay = createJourneyApplier(shipments, readRecord);
    const records = log.of(JOURNEY)
      .map(({ key, value }, at) => aLogRecord(JOURNEY, at, value, { key }));
    await replay([...records, ...records.slice(1)]);
    shipments.markReady();
    expect(shipments.journeys()).toEqual(before);
  });

  it('dead-letters what is no notification and goes on', async () => {
    await projector.onRecords([
      anUndecodableRecord(TOPIC, 1), aLogRecord(TOPIC, 2, { type: 'Else' }), notification(3, 'EX-HUB'),
    ]);
    expect(log.of('dead-letters.v1')).toHaveLength(2);
    expect(journeyEvents()).toHaveLength(1);
  });
});
