import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { WorkerParts } from './assemble-config.ts';
import { createTopicFold, FOLD_LIMITS, FOLD_POLL_MS } from './common/fold-topics.ts';
import { lettersFold, PARKING_TOPICS, type Letters } from './common/parked-keys.ts';
import { rangesByWriter } from './common/read-by-writer.ts';
import { repeatPoll } from './common/repeat-poll.ts';

/** How the content of the checkpoint is written; another number for another way. */
const FORM = 1;

/** The dead letters of a worker, also folded while nobody asks: so a start finds few new ones. */
export function openLetters(
  of: { readonly worker: string; readonly topic: string },
  { kafka, schemas, states, signals, lifecycle, onCrash }: WorkerParts,
): () => Promise<Letters> {
  const name = `letters.${of.worker}`;
  const fold = lettersFold(of, () => systemClock.nowMs());
  const config = { ...FOLD_LIMITS, name, topics: PARKING_TOPICS, form: FORM };
  const letters = createTopicFold(config, fold, {
    folds: states.folds, signals, watch: createLogWatch(kafka.admin),
    rangeReader: rangesByWriter(kafka.rangeReader, schemas),
    topicIds: (topics) => kafka.admin.topicIds(topics),
  });
  const poll = repeatPoll(FOLD_POLL_MS, async () => { await letters(); }, {
    pause: systemPause, onCrash, onFault: (code) => { signals.foldPutOff({ name, code }); },
  });
  lifecycle.onRelease(name, poll.stop);
  poll.start();
  return letters;
}
