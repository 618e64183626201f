import type {
  CommandStates, PlacedCommand, ProviderCommandResult,
} from '../../../kernel/commands.ts';
import type { ApplyRecords, Outcome } from '../../common/outcomes.ts';
import { createCommandReader } from '../../common/read-command-record.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';

/** Applies commands and their results by merging; any order ends in the same state. */
export function createCommandApplier(
  commands: CommandStates, readRecord: ReadRecord,
): ApplyRecords {
  const read = createCommandReader(readRecord);
  return async function applyCommandRecords(records) {
    const issued: PlacedCommand[] = [];
    const results: ProviderCommandResult[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      const event = reading.value;
      if (event.type === 'ProviderCommandResult') results.push(event);
      else {
        const { topicId, partition, offset } = record;
        issued.push({ event, recordId: { topicId, partition, offset } });
      }
      return { kind: 'applied', record };
    });
    if (issued.length > 0) await commands.applyCommands(issued);
    if (results.length > 0) await commands.applyResults(results);
    return outcomes;
  };
}
