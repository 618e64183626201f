import { expect, it } from 'vitest';
import { createOpenDeadLetterLog } from '../../../services/operator/dead-letters/open-log.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import { FOLD_LIMITS } from '../../../services/kernel/fold.ts';
import {
  openDeadLettersConfig, openDeadLettersFold,
} from '../../../services/kernel/open-dead-letters.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { countedLog } from '../../support/counted-log.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';

const TOPICS = { deadLetters: 'dead-letters.v1', repairs: 'dead-letter-repairs.v1' };
const PAST = 100_000;
const OPEN = 10;

/** A log of dead letters that were repaired, with a few between them that were not. */
function agedLog() {
  const log = countedLog();
  for (let at = 0; at < PAST + OPEN; at += 1) {
    const origin = { topic: 't', topic_id: 'T', partition: 0, offset: at, key: 'aw==' };
    log.append(TOPICS.deadLetters, {
      origin, worker: 'one', stage: 's', code: 'c', detail: 'd', value: 'AAAA', headers: {},
      code_version: '1', at_ms: at,
    });
    const isOpen = at % (PAST / OPEN) === 1 && at < PAST;
    if (!isOpen) log.append(TOPICS.repairs, { type: 'DeadLetterDiscarded', origin, at_ms: at });
  }
  return log;
}

it('[GEN-69] rastro dlq reads 10 open dead letters of 100,000 that are closed', async () => {
  const log = agedLog();
  const folds = memoryFolds();
  const ports = { ...log, signals: silentSignals, digest: () => '0'.repeat(16) };
  await createTopicFold(
    { ...FOLD_LIMITS, ...openDeadLettersConfig(TOPICS) }, openDeadLettersFold(TOPICS),
    { ...ports, folds },
  )();
  expect(log.counted()).toBe(2 * PAST + OPEN);
  const { deadLetters } = await createOpenDeadLetterLog({ ...ports, folds }).read();
  expect({ open: deadLetters.size, records: log.counted() }).toEqual({ open: OPEN, records: OPEN });
  expect([...folds.texts.values()].join().length).toBeLessThan(40_000);
}, 120_000);
