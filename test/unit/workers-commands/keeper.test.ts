import { beforeEach, describe, expect, it } from 'vitest';
import type { LogHandler } from '../../../services/kernel/record-log.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { aLogRecord, anUndecodableRecord } from '../../support/fake-log-reader.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { readRecord } from '../../support/read-record.ts';

const COMMANDS = 'provider.commands.v1';
const RESULTS = 'provider.command-results.v1';

describe('The command keeper', () => {
  let states: MemoryStates;
  let letters: string[];
  let keeper: LogHandler;

  beforeEach(() => {
    states = memoryStates();
    letters = [];
    keeper = createProjection('commands', POISON_FLOOD_LIMITS, {
      readRecord,
      commands: states.commands, clock: { nowMs: () => 0 }, signals: silentSignals,
      deadLetters: {
        write: async (record, stage, code) => {
          letters.push(`${record.topic} ${record.offset} ${stage} ${code}`);
        },
      },
    });
  });

  it('applies commands and results of either topic, and commits them', async () => {
    const start = aCommand('start_tracking', 7);
    const committed = await keeper.onRecords([
      aLogRecord(RESULTS, 4, aResult(start)), aLogRecord(COMMANDS, 2, start),
    ]);
    expect(committed).toEqual([
      { topic: RESULTS, partition: 0, nextOffset: 5n },
      { topic: COMMANDS, partition: 0, nextOffset: 3n },
    ]);
    expect(await states.commands.find(start.command_id))
      .toMatchObject({ issued: { command: 'start_tracking' }, result: { outcome: 'done' } });
    expect(await states.monitoring.find('acme', 7)).toMatchObject({ command: 'start_tracking' });
  });

  const start = aCommand('start_tracking', 7);
  it.each([
    ['a command without a body', COMMANDS, { ...start, body: undefined }],
    ['a start without a transport', COMMANDS, { ...start, body: { command: 'start_tracking' } }],
    ['an unknown command', COMMANDS, { ...start, body: { command: 'dance' } }],
    ['a result without a fence', RESULTS, { ...aResult(start), fence: undefined }],
    ['a result of an unknown outcome', RESULTS, { ...aResult(start), outcome: 'perhaps' }],
    ['something else', RESULTS, { type: 'Other' }],
  ])('dead-letters %s', async (_what, topic, value) => {
    await keeper.onRecords([aLogRecord(topic, 3, value)]);
    expect(letters).toEqual([`${topic} 3 consume record_invalid`]);
  });

  it('dead-letters what is in no frame', async () => {
    await keeper.onRecords([anUndecodableRecord(COMMANDS, 5)]);
    expect(letters).toEqual([`${COMMANDS} 5 consume undecodable`]);
  });
});
