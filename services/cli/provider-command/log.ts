import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ProviderCommandIssued, ProviderCommandResult } from '../../kernel/commands.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { counts } from '../../domain/monitoring/result.ts';
import type { OperatorPorts } from '../ports.ts';

/** A command with the result that counts. */
export interface LoggedCommand {
  readonly issued: ProviderCommandIssued;
  readonly result: ProviderCommandResult | undefined;
}

const COMMANDS = TOPICS.providerCommands.name;
const RESULTS = TOPICS.providerCommandResults.name;
const APPEND_MS_MAX = 15_000;

/** All commands as the log has them, by command id, oldest first within a transport. */
export async function readCommands(reader: LogReader): Promise<Map<string, LoggedCommand>> {
  const issued = new Map<string, ProviderCommandIssued>();
  const results = new Map<string, ProviderCommandResult>();
  type Fact = ProviderCommandIssued | ProviderCommandResult;
  await eachFact<Fact>(reader, [COMMANDS, RESULTS], (fact) => {
    if (fact.type === 'ProviderCommandIssued') issued.set(fact.command_id, fact);
    else if (counts(fact, results.get(fact.command_id))) results.set(fact.command_id, fact);
  });
  return new Map([...issued].map(([id, fact]) => [id, { issued: fact, result: results.get(id) }]));
}

/** Appends the end of a command; the command sender meets it before its next attempt. */
export async function recordEnd(ports: OperatorPorts, end: ProviderCommandResult): Promise<void> {
  await ports.log.append({
    topic: RESULTS, key: end.command_key, value: Buffer.from(JSON.stringify(end)),
    headers: { provider: end.provider },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}

/** Appends a command; the command sender brings it to its provider. */
export async function recordCommand(
  ports: OperatorPorts, command: ProviderCommandIssued,
): Promise<void> {
  await ports.log.append({
    topic: COMMANDS,
    key: command.command_key,
    value: Buffer.from(JSON.stringify(command)),
    headers: {
      'ingest-id': command.command_id,
      'received-at': String(command.at_ms),
      client: command.client_id,
      provider: command.provider,
      country: command.country_id,
    },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
