import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import base from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import type { JourneyRecorded } from '../../../services/kernel/shipments.ts';
import type { NotificationCodesVersion } from '../../../services/kernel/notification-codes.ts';
import { cataloguesOf } from '../../../services/domain/journey/read-catalogue.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createCodes, CODES_LIMITS } from '../../../services/workers/journey/codes.ts';
import {
  createNotificationClassifier,
} from '../../../services/workers/journey/classify-notifications.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { memoryShipments } from '../../support/memory-states.ts';
import { aNotification } from '../../support/notifications.ts';
import { readRecord } from '../../support/read-record.ts';

const START_MS = 1_764_000_000_000;
const STATUSES = ['in_transit', 'delivered', 'returned', undefined] as const;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const versions = fc.array(fc.record({
  validFrom: fc.nat({ max: 30 }), appended: fc.nat({ max: 30 }), lead: fc.nat({ max: 3 }),
  a: fc.constantFrom(...STATUSES), b: fc.constantFrom(...STATUSES),
}), { maxLength: 5 }).map((all) => all.map((each, at): NotificationCodesVersion => ({
  version: at + 1,
  appendedAtMs: START_MS + each.appended,
  recorded: {
    type: 'NotificationCodesRecorded', codes_id: `v${at}`, name: `v${at}`, at_ms: START_MS,
    valid_from_ms: START_MS + each.validFrom, lead_ms: each.lead,
    codes: {
      A: each.a === undefined ? {} : { status: each.a },
      ...(each.b === undefined ? {} : { B: { status: each.b } }),
    },
  },
})));

// In the order of the log; gateways differ in their clocks, so receipts may go back.
const notifications = fc.array(fc.record({
  code: fc.constantFrom('A', 'B'), number: fc.constantFrom('RST1', 'RST2'),
  received: fc.nat({ max: 40 }),
}), { minLength: 1, maxLength: 15 });

type Sent = { readonly code: string; readonly number: string; readonly received: number };

const recordOf = ({ code, number, received }: Sent, offset: number) => aLogRecord(
  'shipment.notifications.v1', offset, {
    type: 'NotificationRecorded',
    notification: aNotification(code, { date: new Date(START_MS + offset * 60_000).toISOString() }),
  }, {
    key: number,
    headers: { client: 'carrier-1', 'received-at': String(START_MS + received) },
  },
);

/** Classifies a log in batches of these sizes by a worker that begins from nothing. */
async function classify(
  known: readonly NotificationCodesVersion[], sent: readonly Sent[], sizes: readonly number[],
) {
  const log = fakeRecordLog();
  const shipments = memoryShipments();
  const clock = { nowMs: () => START_MS + 100 };
  const codes = createCodes(CODES_LIMITS, {
    read: async () => cataloguesOf(base, known), clock, pause: async () => undefined,
    signals: silentSignals,
  });
  const apply = createNotificationClassifier({ appendMsMax: 1_000 }, {
    shipments, log, codes, digest, readRecord, clock, signals: silentSignals,
  });
  const records = sent.map(recordOf);
  for (let at = 0, batch = 0; at < records.length; batch += 1) {
    const size = sizes[batch % sizes.length] ?? 1;
    await apply(records.slice(at, at + size));
    at += size;
  }
  const events = log.of('shipment.journey.v1').map(({ value }) => value as JourneyRecorded);
  const ofNumber = (number: string): readonly JourneyRecorded[] => (
    events.filter(({ tracking_number }) => tracking_number === number)
  );
  const journeys = await shipments.loadJourneys(['RST1', 'RST2'], true);
  return { ofNumber, journeys };
}

/** The version that decides, once more as naively as the how-to says it. */
function versionAt(known: readonly NotificationCodesVersion[], receivedAtMs: number): string {
  let found = base.version;
  for (const { version, recorded, appendedAtMs } of known) {
    const fromMs = Math.max(recorded.valid_from_ms, appendedAtMs + recorded.lead_ms);
    if (fromMs <= receivedAtMs) found = `${base.version}+${version}`;
  }
  return found;
}

it('[NOT-49] decides each notification by the version of its receipt, however the log is read', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(fc.asyncProperty(versions, notifications, sizes, sizes, async (
    known, sent, once, again,
  ) => {
    const [first, second] = [await classify(known, sent, once), await classify(known, sent, again)];
    expect(second.journeys).toEqual(first.journeys);
    for (const number of ['RST1', 'RST2']) {
      const events = first.ofNumber(number);
      expect(second.ofNumber(number)).toEqual(events);
      expect(events.map(({ catalogue }) => catalogue)).toEqual(
        sent.filter((each) => each.number === number)
          .map(({ received }) => versionAt(known, START_MS + received)),
      );
    }
  }), { numRuns: 200 });
});

it('[NOT-49] leaves a journey as it was when a version is added that holds later', async () => {
  await fc.assert(fc.asyncProperty(versions, notifications, async (known, sent) => {
    const later = known.map((each) => ({
      ...each, recorded: { ...each.recorded, valid_from_ms: START_MS + 1_000 },
    }));
    const [before, after] = [
      await classify(known, sent, [3]), await classify([...known, ...later], sent, [3]),
    ];
    expect(after.journeys).toEqual(before.journeys);
  }), { numRuns: 100 });
});
