import { beforeEach, describe, expect, it } from 'vitest';
import { alerts } from '../../../infra/generate/monitoring/alerts.ts';
import { runbookOf } from '../../../infra/generate/monitoring/alert.ts';
import { showPipeline } from '../../../services/gateways/operator/operations/show-pipeline.ts';
import { RUNBOOKS } from '../../../services/operator/pipeline/alarms.ts';
import type { PipelinePart } from '../../../services/operator/pipeline/pipeline.ts';
import { callOf, written } from '../../support/calls.ts';
import { anIngestMinute, fakePipeline, type FakePipeline } from '../../support/fake-pipeline.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 12, 0, 30);
const MINUTE_MS = 60_000;
const LAST_MS = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
const LOCATIONS = 'rtt.locations.v1';
const WRITER = 'rastro.table-writer';
const PARTS: readonly PipelinePart[] = ['topics', 'workers', 'state', 'minutes'];

let nowMs: number;
let passed: () => void;
let at: FakePipeline;
beforeEach(() => {
  nowMs = NOW_MS;
  at = fakePipeline({
    stores: new Map([[WRITER, 'tables'], ['rastro.journey', 'state'], ['rastro.parties.commands', undefined]]),
    clock: { nowMs: () => nowMs },
    pause: () => new Promise((resolve) => { passed = resolve; }),
  });
  at.members.push(
    ...[WRITER, 'rastro.journey', 'rastro.parties.commands']
      .map((group) => ({ group, members: ['one', 'two'], isStable: true })),
  );
});

interface Shown {
  readonly unavailable: readonly { readonly part: string; readonly code: string }[];
  readonly alarms: readonly {
    readonly alarm: string; readonly summary: string; readonly runbook: string;
  }[];
}

async function shown(): Promise<Shown> {
  const operation = showPipeline(at);
  const { status, body } = written(operation, await operation.handle(callOf({ nowMs })));
  expect(status).toBe(200);
  return body as unknown as Shown;
}
const ages = (...seconds: readonly number[]) => seconds.map((age) => nowMs - age * 1_000);

describe('the pipeline', () => {
  it('has the records of each topic, also at its first read', async () => {
    at.log.append(LOCATIONS, 0, ages(5_000, 800, 61, 59, 1));
    at.log.append(LOCATIONS, 1, ages(30));
    expect(await shown()).toMatchObject({
      at: '2026-11-27T12:00:30.000Z', unavailable: [], alarms: [],
      topics: [{
        topic: LOCATIONS, partitions: 2, records_appended: 6, records_last_minute: 3,
        records_last_15_minutes: 5,
      }],
    });
  });

  it('has the lag of each worker, and its rate from the second read on', async () => {
    at.log.append(LOCATIONS, 0, ages(50, 40, 30));
    at.log.commit(WRITER, LOCATIONS, 0, 1n);
    const writer = {
      worker: 'table-writer', members: 2, lag_records: 2, lag_seconds: 40, records_per_second: null,
      topics: [{ topic: LOCATIONS, lag_records: 2, lag_seconds: 40 }],
    };
    expect(await shown()).toMatchObject({
      workers: [{ worker: 'journey', lag_records: 0, topics: [] }, { worker: 'parties.commands' }, writer],
    });
    nowMs += 10_000;
    at.log.commit(WRITER, LOCATIONS, 0, 3n);
    expect(await shown()).toMatchObject({
      workers: [{}, {}, { worker: 'table-writer', lag_records: 0, lag_seconds: 0, records_per_second: 0.2 }],
      stores: [
        { store: 'log', state: 'ready', lag_seconds: null },
        { store: 'state', state: 'ready', lag_seconds: 0, records_per_second: null },
        { store: 'tables', state: 'ready', lag_seconds: 0, records_per_second: 0.2 },
      ],
    });
    nowMs += 61_000;
    expect(await shown()).toMatchObject({ workers: [{}, {}, { records_per_second: null }] });
  });

  it('counts the worker of a further replica to the tables', async () => {
    at.log.append(LOCATIONS, 0, ages(50));
    at.log.commit(`${WRITER}@b`, LOCATIONS, 0, 0n);
    at.members.push({ group: `${WRITER}@b`, members: ['three'], isStable: true });
    expect(await shown()).toMatchObject({ stores: [{}, { lag_seconds: 0 }, { lag_seconds: 50 }] });
  });

  it('has what was accepted in the last whole minutes', async () => {
    at.minutes.push(
      anIngestMinute(LAST_MS - 15 * MINUTE_MS), anIngestMinute(LAST_MS, { stored: 19, outlier: 1 }),
      anIngestMinute(LAST_MS + MINUTE_MS),
    );
    expect(await shown()).toMatchObject({
      minutes_until: '2026-11-27T12:00:00.000Z',
      minutes: [{
        minute: '2026-11-27T11:59:00.000Z', kind: 'locations', calls: 10, accepted: 20, stored: 19,
        outlier: 1, waiting: 0,
      }],
    });
  });
});

describe('a part of the pipeline', () => {
  it.each([
    ['topics', 'log_unavailable'], ['workers', 'log_unavailable'],
    ['state', 'state_unavailable'], ['minutes', 'sink_unavailable'],
  ] as const)('that is away is named, and the others are there: %s', async (part, code) => {
    at.log.append(LOCATIONS, 0, ages(5));
    at.minutes.push(anIngestMinute(LAST_MS));
    at.lost.set(part, 'away');
    const body = await shown() as unknown as Readonly<Record<string, unknown[]>>;
    expect(body['unavailable']).toEqual([{ part, code }]);
    expect({ topics: body['topics']?.length, workers: body['workers']?.length, minutes: body['minutes']?.length })
      .toEqual({ topics: 1, workers: 3, minutes: 1, ...part === 'state' ? {} : { [part]: 0 } });
    const away = body['stores']?.filter((each) => (each as { state: string }).state === 'unavailable');
    expect(away).toMatchObject(part === 'workers' ? [] : [{
      store: { topics: 'log', workers: '', state: 'state', minutes: 'tables' }[part],
    }]);
  });

  it('that does not answer in time is named, and is not asked again meanwhile', async () => {
    at.lost.set('minutes', 'silent');
    const first = shown();
    await expect.poll(() => passed).toBeDefined();
    nowMs += 4_000;
    passed();
    const late = { unavailable: [{ part: 'minutes', code: 'sink_unavailable' }] };
    expect(await first).toMatchObject(late);
    nowMs += 60_000;
    expect(await shown()).toMatchObject(late);
    expect(at.asked.get('minutes')).toBe(1);
  });

  it('is asked once for all who ask within some seconds, and never when no one asks', async () => {
    expect(at.asked.size).toBe(0);
    await Promise.all(Array.from({ length: 200 }, shown));
    nowMs += 3_000;
    await shown();
    expect(PARTS.map((part) => at.asked.get(part))).toEqual([1, 1, 1, 1]);
    nowMs += 1_000;
    await shown();
    expect(PARTS.map((part) => at.asked.get(part))).toEqual([2, 2, 2, 1]);
    nowMs += 26_000;
    await shown();
    expect(at.asked.get('minutes')).toBe(2);
  });

  it('that is away is not asked more often than one that answers', async () => {
    for (const part of PARTS) at.lost.set(part, 'away');
    await Promise.all(Array.from({ length: 50 }, shown));
    expect(PARTS.map((part) => at.asked.get(part))).toEqual([1, 1, 1, 1]);
    at.lost.clear();
    nowMs += 30_000;
    expect((await shown()).unavailable).toEqual([]);
  });

  it('that has a defect is no outage', async () => {
    at.log.members = () => Promise.reject(new TypeError('a defect'));
    const operation = showPipeline(at);
    await expect(operation.handle(callOf())).rejects.toThrow('a defect');
  });
});

describe('alarms of the pipeline', () => {
  it('are those that its figures prove, with their runbooks', async () => {
    at.isReady = false;
    at.members.splice(0, 1);
    at.log.append(LOCATIONS, 0, ages(400));
    at.log.commit('rastro.journey', LOCATIONS, 0, 0n);
    at.log.append('dead-letters.v1', 0, ages(2_000, 600));
    at.minutes.push(anIngestMinute(LAST_MS - MINUTE_MS, { stored: 18, waiting: 2 }));
    expect((await shown()).alarms).toEqual([
      ['RastroStateNotReady', 'The state store does not hold everything that the log says.'],
      ['RastroItemsUnexplained', 'Items without an outcome 60 s after their receipt: 2.'],
      ['RastroProcessMissing', 'No process reads as table-writer.'],
      ['RastroConsumerLag', 'journey is 400 s behind in rtt.locations.v1.'],
      ['RastroDeadLetters', 'Dead letters in the last 15 minutes: 1.'],
    ].map(([alarm, summary]) => (
      { alarm, summary, runbook: RUNBOOKS[alarm as keyof typeof RUNBOOKS] })));
  });

  it('are none below their limits, and none of what could not be asked', async () => {
    at.log.append(LOCATIONS, 0, ages(120));
    at.log.commit(WRITER, LOCATIONS, 0, 0n);
    at.log.append('dead-letters.v1', 0, ages(901));
    at.minutes.push(anIngestMinute(LAST_MS, { stored: 18, waiting: 2 }));
    expect((await shown()).alarms).toEqual([]);
    at.members.splice(0);
    at.isReady = false;
    for (const part of PARTS) at.lost.set(part, 'away');
    nowMs += 30_000;
    expect((await shown()).alarms).toEqual([]);
  });

  it('are by the time of the read: what was still to come then is no alarm later', async () => {
    nowMs += 20_000;
    at.minutes.push(anIngestMinute(LAST_MS, { stored: 18, waiting: 2 }));
    expect((await shown()).alarms).toEqual([]);
    nowMs += 29_000;
    expect((await shown()).alarms).toEqual([]);
    nowMs += 1_000;
    expect((await shown()).alarms).toMatchObject([{ alarm: 'RastroItemsUnexplained' }]);
  });

  it('have the names and the runbooks that they have in Prometheus', () => {
    const all = new Map(alerts().map((alert) => [alert.name, runbookOf(alert)]));
    for (const [alarm, runbook] of Object.entries(RUNBOOKS)) expect(all.get(alarm)).toBe(runbook);
  });
});
