import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Code } from '../../kernel/codes.ts';
import type { IngestMinutes } from '../../kernel/ingest-minutes.ts';
import type { Readiness } from '../../kernel/readiness.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import { provenAlarms, type ProvenAlarm } from './alarms.ts';
import type { AskedFigures } from './figures.ts';
import { readTopics } from './read-topics.ts';
import { createReadWorkers, type ReadWorkersPorts } from './read-workers.ts';
import { createSharedRead, type SharedReadPorts } from './shared-read.ts';
import { storesOf, type StoreByGroup, type StoreFigures } from './stores.ts';

/** The parts of the pipeline that are asked each for itself. */
export type PipelinePart = 'topics' | 'workers' | 'state' | 'minutes';

/** A part that could not be asked. */
export interface UnaskedPart {
  readonly part: PipelinePart;
  readonly code: Code;
}

/** The pipeline at one moment. What could not be asked is named. */
export interface PipelineFigures extends AskedFigures {
  readonly atMs: number;
  readonly unasked: readonly UnaskedPart[];
  readonly stores: readonly StoreFigures[];
  readonly alarms: readonly ProvenAlarm[];
}

/** Where the pipeline is read. */
export interface Pipeline {
  /** Never rejects for an outage: the part that is away is named, and the others are there. */
  read(): Promise<PipelineFigures>;
}

/** What reading the pipeline takes. */
export interface PipelinePorts extends ReadWorkersPorts, SharedReadPorts {
  readonly readiness: Pick<Readiness, 'isReady'>;
  readonly minutes: IngestMinutes;
}

/** How many minutes are shown. */
const MINUTES_SHOWN = 15;

const MINUTE_MS = 60_000;
const NAMES: readonly string[] = Object.values(TOPICS).map(({ name }) => name);
/** Well within the time of a call, so that one that waits still answers. */
const WAIT_MS_MAX = 4_000;
const OFTEN = { goodMs: 4_000, waitMsMax: WAIT_MS_MAX };
/** It reads each record of the minutes that are shown. */
const SELDOM = { goodMs: 30_000, waitMsMax: WAIT_MS_MAX };

/**
 * The pipeline as log, state store and tables say it. Each part is read when someone asks, once for
 * all who ask within some seconds. `stores` names every group that must have members.
 */
export function createPipeline(stores: StoreByGroup, ports: PipelinePorts): Pipeline {
  const { watch, readiness, minutes, clock } = ports;
  const topics = createSharedRead(
    { ...OFTEN, code: 'log_unavailable' }, () => readTopics(watch, NAMES, clock.nowMs()), ports);
  const workers = createSharedRead(
    { ...OFTEN, code: 'log_unavailable' }, createReadWorkers([...stores.keys()], ports), ports);
  const state = createSharedRead(
    { ...OFTEN, code: 'state_unavailable' }, () => readiness.isReady(), ports);
  const balance = createSharedRead({ ...SELDOM, code: 'sink_unavailable' }, async () => {
    // The minute that runs is not over: less was accepted in it than in the others.
    const readMs = clock.nowMs();
    const untilMs = Math.floor(readMs / MINUTE_MS) * MINUTE_MS;
    const rows = await minutes.find(untilMs - MINUTES_SHOWN * MINUTE_MS, untilMs);
    return { untilMs, readMs, rows };
  }, ports);

  return {
    async read() {
      const unasked: UnaskedPart[] = [];
      const asked = async <Value>(
        part: PipelinePart, read: () => Promise<Value>,
      ): Promise<Value | undefined> => {
        try {
          return await read();
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          unasked.push({ part, code: error.code });
          return undefined;
        }
      };
      const [ofTopics, ofWorkers, isStateReady, ofMinutes] = await Promise.all([
        asked('topics', topics), asked('workers', workers), asked('state', state),
        asked('minutes', balance),
      ]);
      const figures = {
        topics: ofTopics, workers: ofWorkers, isStateReady, minutes: ofMinutes,
      };
      return {
        ...figures, atMs: clock.nowMs(), unasked, stores: storesOf(figures, stores),
        alarms: provenAlarms(figures),
      };
    },
  };
}
