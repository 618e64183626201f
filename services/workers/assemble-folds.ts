import { TOPICS } from '../../schemas/generated/catalog.ts';
import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { systemPause } from '../adapters/system/system.ts';
import { createTopicFold } from '../kernel/fold-topics.ts';
import { FOLD_POLL_MS, type FoldPorts } from '../kernel/fold.ts';
import type { Overflow } from '../kernel/overflow.ts';
import { erasuresFold, erasuresOf } from '../kernel/read-erasures.ts';
import { overflowFold } from '../kernel/read-overflow.ts';
import type { WorkerParts } from './assemble-config.ts';
import { rangesByWriter } from './common/read-by-writer.ts';
import { repeatPoll } from './common/repeat-poll.ts';
import type { SkipErasedPorts } from './table-writer/skip-erased.ts';

type Parts = Pick<WorkerParts, 'kafka' | 'schemas' | 'states' | 'signals'>;

/** Compacted topics are small: a process reads them whole once, and then what is new. */
const UNKEPT = { form: 1, recordsMin: Infinity, bytesMax: 0 } as const;

/** What folds of topics read, and where their checkpoints are. */
export function foldPortsOf(
  { kafka, schemas, states, signals }: Parts,
): FoldPorts {
  return {
    folds: states.folds, signals, watch: createLogWatch(kafka.admin),
    rangeReader: rangesByWriter(kafka.rangeReader, schemas),
    topicIds: (topics) => kafka.admin.topicIds(topics),
  };
}

/** Folds every minute from now on, so that the next start finds few records that are new. */
export function keepFolded(
  name: string, fold: () => Promise<unknown>,
  { lifecycle, signals, onCrash }: Pick<WorkerParts, 'lifecycle' | 'signals' | 'onCrash'>,
): void {
  const poll = repeatPoll(FOLD_POLL_MS, async () => { await fold(); }, {
    pause: systemPause, onCrash, onFault: (code) => { signals.foldPutOff({ name, code }); },
  });
  lifecycle.onRelease(name, poll.stop);
  poll.start();
}

/** The decisions of operators and writers about devices and providers that overflow. */
export function foldOverflow(parts: Parts): () => Promise<Overflow> {
  const topics = [TOPICS.overflow.name];
  return createTopicFold({ ...UNKEPT, name: 'overflow', topics }, overflowFold, foldPortsOf(parts));
}

/** What the log says is erased. */
export function foldErasures(parts: Parts): SkipErasedPorts['read'] {
  const topics = [TOPICS.erasedTracks.name, TOPICS.erasedDrivers.name];
  const fold = createTopicFold(
    { ...UNKEPT, name: 'erasures', topics }, erasuresFold(TOPICS.erasedTracks.name),
    foldPortsOf(parts),
  );
  return async () => erasuresOf(await fold());
}
