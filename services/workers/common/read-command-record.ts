import { parseFields } from '../../kernel/json-fields.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import type { ConsumedRecord } from './outcomes.ts';
import type { ReadOutcome, ReadRecord, ValueOf } from './read-record.ts';

/** A provider command, or a result of one. */
export type CommandFact = ValueOf<'providerCommands'> | ValueOf<'providerCommandResults'>;

/** Reads a record of either topic of provider commands; its own name says which fact it is. */
export function createCommandReader(
  readRecord: ReadRecord,
): (record: ConsumedRecord) => ReadOutcome<CommandFact> {
  const readCommand = readRecord('providerCommands');
  const readResult = readRecord('providerCommandResults');
  return (record) => {
    const fields = isDecoded(record) ? parseFields(record.value) : undefined;
    return fields?.['type'] === 'ProviderCommandResult' ? readResult(record) : readCommand(record);
  };
}
