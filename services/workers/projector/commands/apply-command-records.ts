import type {
  CommandStates, PlacedCommand, ProviderCommandResult,
} from '../../../kernel/commands.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../../common/outcomes.ts';
import { readCommandRecord } from '../../common/read-command-record.ts';

/** Applies commands and their results by merging; any order ends in the same state. */
export function createCommandApplier(commands: CommandStates): ApplyRecords {
  return async function applyCommandRecords(records) {
    const issued: PlacedCommand[] = [];
    const results: ProviderCommandResult[] = [];
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const event = readCommandRecord(record);
      if (event === undefined) {
        return poisoned(record, 'record_invalid', 'not a fact about a provider command');
      }
      if (event.type === 'ProviderCommandResult') results.push(event);
      else {
        const { topicId, partition, offset } = record;
        issued.push({ event, position: { topicId, partition, offset } });
      }
      return { kind: 'applied', record };
    });
    if (issued.length > 0) await commands.applyCommands(issued);
    if (results.length > 0) await commands.applyResults(results);
    return outcomes;
  };
}
