import type { GroupMembers, GroupWatch } from '../../services/kernel/log-watch.ts';
import type { IngestMinute } from '../../services/kernel/ingest-minutes.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import {
  createPipeline, type Pipeline, type PipelinePart,
} from '../../services/operator/pipeline/pipeline.ts';
import type { StoreByGroup } from '../../services/operator/pipeline/stores.ts';
import { fakeLogWatch, type FakeLogWatch } from './fake-log-watch.ts';
import { wallClock } from './kafka-logs.ts';

/** A pipeline over a log, a state store and tables in memory. */
export interface FakePipeline extends Pipeline {
  readonly log: FakeLogWatch & GroupWatch;
  /** Who reads in the groups. */
  readonly members: GroupMembers[];
  readonly minutes: IngestMinute[];
  /** Whether the state store holds all that the log says. */
  isReady: boolean;
  /** Parts that are lost: `away` refuses, `silent` never answers. */
  readonly lost: Map<PipelinePart, 'away' | 'silent'>;
  /** How often each part was asked. */
  readonly asked: Map<PipelinePart, number>;
}

/** What a test changes of it. */
export interface PipelineWishes {
  readonly stores?: StoreByGroup;
  readonly clock?: { nowMs(): number };
  readonly pause?: (milliseconds: number) => Promise<void>;
}

const NEVER = new Promise<never>(() => undefined);

/** Opens one in which nothing has happened. */
export function fakePipeline({
  stores = new Map(), clock = wallClock,
  pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); }),
}: PipelineWishes = {}): FakePipeline {
  const log = { ...fakeLogWatch(), members: async () => fake.members };
  const asks = async <Value>(part: PipelinePart, answer: () => Promise<Value>): Promise<Value> => {
    fake.asked.set(part, (fake.asked.get(part) ?? 0) + 1);
    if (fake.lost.get(part) === 'silent') return NEVER;
    if (fake.lost.get(part) === 'away') {
      const code = { topics: 'log_unavailable', workers: 'log_unavailable',
        state: 'state_unavailable', minutes: 'sink_unavailable' } as const;
      throw new Unavailable(code[part], 'receive', 'as the test asked');
    }
    return answer();
  };
  const pipeline = createPipeline(stores, {
    watch: {
      ...log,
      ranges: (topics) => asks('topics', () => log.ranges(topics)),
      members: () => asks('workers', () => log.members()),
    },
    readiness: { isReady: () => asks('state', async () => fake.isReady) },
    minutes: {
      find: (sinceMs, untilMs) => asks('minutes', async () => fake.minutes.filter(
        ({ minuteMs }) => minuteMs >= sinceMs && minuteMs < untilMs)),
    },
    clock, pause,
  });
  const fake: FakePipeline = {
    ...pipeline, log, members: [], minutes: [], isReady: true, lost: new Map(), asked: new Map(),
  };
  return fake;
}

/** A minute of so many locations, all stored. */
export function anIngestMinute(minuteMs: number, change: Partial<IngestMinute> = {}): IngestMinute {
  return {
    minuteMs, kind: 'locations', calls: 10, accepted: 20, stored: 20, outlier: 0, out_of_order: 0,
    ignored_after_final: 0, disputed: 0, dead_lettered: 0, waiting: 0, ...change,
  };
}
