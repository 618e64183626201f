import { describe, expect, it } from 'vitest';
import { FOLD_LIMITS } from '../../../services/kernel/fold.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { CommandFact } from '../../../services/workers/common/read-command-record.ts';
import {
  createReadPending, type ReadPending,
} from '../../../services/workers/parties/commands/pending-commands.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { countedLog } from '../../support/counted-log.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';

const TOPICS = { commands: 'provider.commands.v1', results: 'provider.command-results.v1' };
const PAST = 100_000;
const OPEN = 10;
const ALL = new Set([0]);

/** A log of commands that have ended, with a few between them that have not. */
function agedLog() {
  const log = countedLog();
  for (let at = 0; at < PAST; at += 1) {
    const command = aCommand('start_tracking', at, { command_id: `past-${at}` });
    log.append(TOPICS.commands, command);
    log.append(TOPICS.results, aResult(command));
    if (at % (PAST / OPEN) === 0) {
      log.append(TOPICS.commands, aCommand('start_tracking', at, { command_id: `open-${at}` }));
    }
  }
  return log;
}

describe('A takeover of a log with 100,000 commands of the past and 10 that are open', () => {
  const log = agedLog();
  const folds = memoryFolds();
  const start = (): ReadPending => createReadPending(
    { topics: TOPICS, keptRecordsMin: FOLD_LIMITS.recordsMin },
    {
      ...log, folds, signals: silentSignals,
      // Whether records follow their schema is not the matter here.
      readCommand: ({ value }) => ({ ok: true, value: JSON.parse(String(value)) as CommandFact }),
    },
  );
  const countOf = async (takeover: ReadPending) => {
    log.counted();
    const { pending } = await takeover.read(ALL);
    return { pending: pending.length, records: log.counted() };
  };

  it('[GEN-69] reads these 10 and what is new, and all only without a checkpoint', async () => {
    const whole = 2 * PAST + OPEN;
    expect(await countOf(start())).toEqual({ pending: OPEN, records: whole + OPEN });
    expect(await countOf(start())).toEqual({ pending: OPEN, records: OPEN });
    for (let at = 0; at < FOLD_LIMITS.recordsMin - 1; at += 1) {
      log.append(TOPICS.results, aResult(aCommand('stop_tracking', at)));
    }
    log.append(TOPICS.results, aResult(aCommand('start_tracking', 0, { command_id: 'open-0' })));
    expect(await countOf(start()))
      .toEqual({ pending: OPEN - 1, records: FOLD_LIMITS.recordsMin + OPEN - 1 });
    expect(await countOf(start())).toEqual({ pending: OPEN - 1, records: OPEN - 1 });
    folds.texts.clear();
    expect(await countOf(start()))
      .toEqual({ pending: OPEN - 1, records: whole + FOLD_LIMITS.recordsMin + OPEN - 1 });
  }, 120_000);

  it('[GEN-69] keeps a checkpoint that goes with what is open', async () => {
    await start().read(ALL);
    const [text = ''] = [...folds.texts.values()];
    expect(text.length).toBeLessThan(40_000);
  });
});
