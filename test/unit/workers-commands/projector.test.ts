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

describe('The projection of commands', () => {
  let states: MemoryStates;
  let deadLetters: string[];
  let projector: LogHandler;

  beforeEach(() => {
    states = memoryStates();
    deadLetters = [];
    projector = createProjection('commands', POISON_FLOOD_LIMITS, {
      readRecord,
      commands: states.commands, clock: { nowMs: () => 0 }, signals: silentSignals,
      deadLetters: {
        write: async (record, stage, code) => {
          deadLetters.push(`${record.topic} ${record.offset} ${stage} ${code}`);
        },
      },
    });
  });

  it('applies commands and results of either topic, and commits them', async () => {
    const start = aCommand('start_tracking', 7);
    const committed = await projector.onRecords([
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
    await projector.onRecords([aLogRecord(topic, 3, value)]);
    expect(deadLetters).toEqual([`${topic} 3 consume record_invalid`]);
  });

  it('dead-letters what is in no frame', async () => {
    await projector.onRecords([anUndecodableRecord(COMMANDS, 5)]);
    expect(deadLetters).toEqual([`${COMMANDS} 5 consume undecodable`]);
  });
});
