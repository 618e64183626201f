import type { Clock } from '../../../kernel/clock.ts';
import type { CommandStates, ProviderCommandIssued } from '../../../kernel/commands.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Parties } from '../../../kernel/parties.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import { commandKeyOf } from '../../../domain/monitoring/command.ts';
import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { CommandAcceptedResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';

/** What issuing a command needs from outside. */
export interface SendCommandPorts {
  readonly log: RecordLog;
  readonly commands: CommandStates;
  readonly parties: Parties;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * `POST /platform/providers/{provider}/commands`: the platform wants a provider to get a command
 * (interface, 5). 202 says that it is in the log; the command sender brings it to the provider.
 */
export function sendCommand(ports: SendCommandPorts): Operation {
  return defineOperation('send-command', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: SendCommandPorts, call: CallOf<'send-command'>): Promise<Answer> {
  const provider = call.params.provider;
  if (await ports.parties.byProvider(provider) === undefined) {
    return {
      kind: 'refusal', code: 'party_not_found',
      detail: 'No active party is registered for this provider.',
    };
  }
  const event = issued(ports, call, provider);
  await ports.log.append({
    topic: TOPICS.providerCommands.name,
    key: event.command_key,
    value: Buffer.from(JSON.stringify(event)),
    headers: {
      'ingest-id': event.command_id,
      'received-at': String(call.receivedAtMs),
      client: event.client_id,
      provider,
      country: event.country_id,
    },
  }, call.deadlineMs);
  await showAtOnce(ports, event);
  const body: CommandAcceptedResponse = {
    status: 202, message: 'Accepted', command_id: event.command_id,
  };
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': event.command_id } };
}

/**
 * The next reader should find the command. The log has it already, so a store that is away must
 * not make the caller issue it again: the command projector writes it later.
 */
async function showAtOnce(ports: SendCommandPorts, event: ProviderCommandIssued): Promise<void> {
  try {
    await ports.commands.put(event);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** The body goes on as it was validated: the provider may know fields that we do not. */
function issued(ports: SendCommandPorts, call: CallOf<'send-command'>, provider: string): ProviderCommandIssued {
  const body = call.body;
  return {
    type: 'ProviderCommandIssued',
    command_id: ports.ids.ingestId(),
    provider,
    command_key: commandKeyOf(body),
    client_id: call.caller.clientId,
    country_id: call.query.country_id,
    body,
    at_ms: ports.clock.nowMs(),
  };
}
