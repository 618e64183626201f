import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { WorkerParts } from './assemble-config.ts';
import { createTopicFold, FOLD_LIMITS, FOLD_POLL_MS } from './common/fold-topics.ts';
import { parkingFold, PARKING_TOPICS, type ParkingFacts } from './common/parked-keys.ts';
import { rangesByWriter } from './common/read-by-writer.ts';
import { repeatPoll } from './common/repeat-poll.ts';

/** How the content of the checkpoint is written; another number for another way. */
const FORM = 1;

/** The dead letters of a worker, also folded every minute: so a start finds few new ones. */
export function openParking(
  of: { readonly worker: string; readonly topic: string },
  { kafka, schemas, states, signals, lifecycle, onCrash }: WorkerParts,
): () => Promise<ParkingFacts> {
  const name = `parking.${of.worker}`;
  const fold = parkingFold(of, () => systemClock.nowMs());
  const config = { ...FOLD_LIMITS, name, topics: PARKING_TOPICS, form: FORM };
  const parking = createTopicFold(config, fold, {
    folds: states.folds, signals, watch: createLogWatch(kafka.admin),
    rangeReader: rangesByWriter(kafka.rangeReader, schemas),
    topicIds: (topics) => kafka.admin.topicIds(topics),
  });
  const poll = repeatPoll(FOLD_POLL_MS, async () => { await parking(); }, {
    pause: systemPause, onCrash, onFault: (code) => { signals.foldPutOff({ name, code }); },
  });
  lifecycle.onRelease(name, poll.stop);
  poll.start();
  return parking;
}
