import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  CRASH_BREAKER_LIMITS, createCrashBreaker,
} from '../../../services/workers/common/crash-breaker.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { createKeyOrder, KEY_ORDER_LIMITS } from '../../../services/workers/common/key-order.ts';
import { parkingFold } from '../../../services/workers/common/parked-keys.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { createJourneyWorker } from '../../../services/workers/journey/pipeline.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { aCommand } from '../../support/command-facts.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { SAMPLE_CODES } from '../../support/journeys.ts';
import { memoryDefects } from '../../support/memory-defects.ts';
import { memoryShipments, memoryStates } from '../../support/memory-states.ts';
import { aNotification } from '../../support/notifications.ts';
import { readRecord } from '../../support/read-record.ts';

const NOTIFICATIONS = 'shipment.notifications.v1';
const COMMANDS = 'provider.commands.v1';
const clock = { nowMs: () => 1_764_000_009_000 };
const limits = { worker: 'journey', codeVersion: '9', appendMsMax: 1_000 };

function aRun() {
  const log = fakeRecordLog();
  const shared = { log, clock, signals: silentSignals };
  const defects = memoryDefects();
  return {
    log, shared, deadLetters: createDeadLetters(limits, shared),
    breaker: () => createCrashBreaker(CRASH_BREAKER_LIMITS, defects),
    codes: () => log.of('dead-letters.v1').map(({ value }) => {
      const { origin, code } = value as { origin: { offset: number }; code: string };
      return `${origin.offset} ${code}`;
    }),
  };
}

/** Starts processes until one takes the records; answers how many ended. */
async function endsOf(
  start: () => LogHandler, topic: string, records: readonly ReturnType<typeof aLogRecord>[],
): Promise<number> {
  for (let ends = 0; ends < 10; ends += 1) {
    const worker = start();
    await worker.onAssigned([{ topic, topicId: `${topic}-id`, partition: 0 }]);
    const isDone = await worker.onRecords(records).then(() => true, () => false);
    if (isDone) return ends;
  }
  return Infinity;
}

it('[GEN-49] journeys park the shipment of such a record, and go on with all others', async () => {
  const run = aRun();
  const shipments = memoryShipments();
  const put = shipments.putJourneys;
  shipments.putJourneys = async (journeys) => {
    if (JSON.stringify([...journeys]).includes('BAD')) throw new TypeError('a defect of ours');
    return put(journeys);
  };
  const notification = (offset: number, key: string) => aLogRecord(NOTIFICATIONS, offset, {
    type: 'NotificationRecorded',
    notification: aNotification('EX-HUB', { date: `2026-11-20T10:0${offset}:00Z` }),
  }, { key, headers: { client: 'c', 'received-at': '1764000000000', 'ingest-id': `i${offset}` } });
  const start = () => createJourneyWorker({ ...POISON_FLOOD_LIMITS, appendMsMax: 1_000 }, {
    ...run.shared, readRecord, codes: SAMPLE_CODES, shipments, deadLetters: run.deadLetters,
    digest: (text) => createHash('sha256').update(text).digest('hex'), breaker: run.breaker(),
    order: createKeyOrder({ ...KEY_ORDER_LIMITS, ...limits, topic: NOTIFICATIONS }, {
      ...run.shared,
      parking: async () => parkingFold({ ...limits, topic: NOTIFICATIONS }, () => 0).empty(),
    }),
  });
  const records = ['RST1', 'BAD', 'BAD', 'RST2'].map((key, at) => notification(at + 1, key));
  expect(await endsOf(start, NOTIFICATIONS, records)).toBe(3);
  expect(run.codes()).toEqual(['2 defect', '3 key_parked']);
  for (const key of ['RST1', 'RST2']) expect((await shipments.find(key))?.state).toBeDefined();
  expect((await shipments.find('BAD'))?.state).toBeUndefined();
});

it('[GEN-49] a projector goes on behind such a record', async () => {
  const run = aRun();
  const { commands } = memoryStates();
  const [first, bad, last] = [7, 8, 9].map((id) => aCommand('start_tracking', id));
  const start = () => createProjection('commands', POISON_FLOOD_LIMITS, {
    ...run.shared, readRecord, deadLetters: run.deadLetters, breaker: run.breaker(),
    commands: {
      ...commands,
      applyCommands: async (placed) => {
        const isBad = placed.some(({ event }) => event.command_id === bad!.command_id);
        if (isBad) throw new TypeError('a defect of ours');
        return commands.applyCommands(placed);
      },
    },
  });
  const records = [first, bad, last].map((command, at) => aLogRecord(COMMANDS, at + 1, command));
  expect(await endsOf(start, COMMANDS, records)).toBe(3);
  expect(run.codes()).toEqual(['2 defect']);
  expect(await commands.find(last!.command_id)).toBeDefined();
});
