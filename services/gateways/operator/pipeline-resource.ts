import type { PipelineResource } from '../../../schemas/generated/types.ts';
import type { IngestMinute } from '../../kernel/ingest-minutes.ts';
import { RUNBOOKS } from '../../operator/pipeline/alarms.ts';
import type { PipelineFigures } from '../../operator/pipeline/pipeline.ts';
import type { WorkerFigures } from '../../operator/pipeline/read-workers.ts';

/** The pipeline as operators see it; what could not be asked is an empty list. */
export function pipelineResource(figures: PipelineFigures): PipelineResource {
  const { atMs, unasked, stores, topics = [], workers = [], minutes, alarms } = figures;
  return {
    at: isoOf(atMs),
    unavailable: unasked.map(({ part, code }) => ({ part, code })),
    stores: stores.map(({ store, state, lagSeconds, recordsPerSecond }) => ({
      store, state, lag_seconds: lagSeconds ?? null, records_per_second: rateOf(recordsPerSecond),
    })),
    topics: topics.map(({ topic, partitions, appended, inMinute, in15Minutes }) => ({
      topic, partitions, records_appended: appended, records_last_minute: inMinute,
      records_last_15_minutes: in15Minutes,
    })),
    workers: workers.map(workerResource),
    ...minutes === undefined ? {} : { minutes_until: isoOf(minutes.untilMs) },
    minutes: (minutes?.rows ?? []).map(minuteResource),
    alarms: alarms.map(({ alarm, summary }) => ({ alarm, summary, runbook: RUNBOOKS[alarm] })),
  };
}

function workerResource(
  { worker, members, records, seconds, recordsPerSecond, topics }: WorkerFigures,
): PipelineResource['workers'][number] {
  return {
    worker, members, lag_records: records, lag_seconds: seconds,
    records_per_second: rateOf(recordsPerSecond),
    topics: topics.map((lag) => ({
      topic: lag.topic, lag_records: lag.records, lag_seconds: lag.seconds,
    })),
  };
}

function minuteResource(
  { minuteMs, ...counts }: IngestMinute,
): PipelineResource['minutes'][number] {
  return { minute: isoOf(minuteMs), ...counts };
}

/** To a tenth. */
function rateOf(perSecond: number | undefined): number | null {
  return perSecond === undefined ? null : Math.round(perSecond * 10) / 10;
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
