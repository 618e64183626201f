import { TOPICS } from '../../schemas/generated/catalog.ts';
import { systemClock } from '../adapters/system/system.ts';
import { createTopicFold } from '../kernel/fold-topics.ts';
import { FOLD_LIMITS } from '../kernel/fold.ts';
import { openDeadLettersConfig, openDeadLettersFold } from '../kernel/open-dead-letters.ts';
import type { WorkerParts } from './assemble-config.ts';
import { foldPortsOf, keepFolded } from './assemble-folds.ts';
import { parkingFold, PARKING_TOPICS, type ParkingFacts } from './common/parked-keys.ts';

/** How the content of the checkpoint is written; another number for another way. */
const FORM = 1;

/** The dead letters of a worker, also folded every minute: so a start finds few new ones. */
export function openParking(
  of: { readonly worker: string; readonly topic: string }, parts: WorkerParts,
): () => Promise<ParkingFacts> {
  const name = `parking.${of.worker}`;
  const parking = createTopicFold(
    { ...FOLD_LIMITS, name, topics: PARKING_TOPICS, form: FORM },
    parkingFold(of, () => systemClock.nowMs()), foldPortsOf(parts),
  );
  keepFolded(name, parking, parts);
  return parking;
}

/** Keeps which dead letters of all workers are open, for `rastro dlq` to begin from. */
export function keepOpenDeadLetters(parts: WorkerParts): void {
  const topics = {
    deadLetters: TOPICS.deadLetters.name, repairs: TOPICS.deadLetterRepairs.name,
  };
  const config = { ...FOLD_LIMITS, ...openDeadLettersConfig(topics) };
  keepFolded(
    config.name, createTopicFold(config, openDeadLettersFold(topics), foldPortsOf(parts)), parts,
  );
}
