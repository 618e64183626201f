import type { Clock } from '../../../kernel/clock.ts';
import type {
  CommandIdentity, CommandKeys, CommandStates, ProviderCommandIssued,
} from '../../../kernel/commands.ts';
import type { Digest } from '../../../kernel/digest.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Parties } from '../../../kernel/parties.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import { commandKeyOf } from '../../../domain/monitoring/command.ts';
import { commandIdOf } from '../../../domain/monitoring/identity.ts';
import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { CommandAcceptedResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import {
  decideAndAppend, type Attempt, type RaceConfig, type RacePorts,
} from '../../common/decide-and-append.ts';
import { problemErrors } from '../../common/problem.ts';
import { readDeadline } from '../command-deadline.ts';
import { identifyCommand, otherBody } from '../identify-command.ts';

/** What issuing a command needs from outside. */
export interface SendCommandPorts extends RacePorts {
  readonly log: RecordLog;
  readonly commands: CommandStates;
  readonly commandKeys: CommandKeys;
  readonly parties: Parties;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly digest: Digest;
}

/** Settings of issuing commands. */
export interface SendCommandConfig extends RaceConfig {
  /** How long a command that says no deadline is sent; without end when absent. */
  readonly commandMsMax?: number | undefined;
}

type SendCall = CallOf<'send-command'>;

/**
 * `POST /platform/providers/{provider}/commands`: the platform wants a provider to get a command
 * (interface, 5). 202 says that it is in the log; the command sender brings it to the provider.
 * With an `Idempotency-Key`, or an `id` in the body, a repeat is the same command.
 */
export function sendCommand(config: SendCommandConfig, ports: SendCommandPorts): Operation {
  return defineOperation('send-command', {
    errors: problemErrors,
    handle: (call) => handle(config, ports, call),
  });
}

async function handle(
  config: SendCommandConfig, ports: SendCommandPorts, call: SendCall,
): Promise<Answer> {
  const provider = call.params.provider;
  if (await ports.parties.byProvider(provider) === undefined) {
    return {
      kind: 'refusal', code: 'party_not_found',
      detail: 'No active party is registered for this provider.',
    };
  }
  const header = call.header('idempotency-key');
  const { clientId } = call.caller;
  const identified = identifyCommand(
    ports.digest, { provider, clientId, body: call.body, header },
  );
  if ('refusal' in identified) return { kind: 'refusal', ...identified.refusal };
  const at_ms = ports.clock.nowMs();
  const ownMs = config.commandMsMax === undefined ? undefined : at_ms + config.commandMsMax;
  const deadline = readDeadline(call.body, call.query['expires_at'], ownMs);
  if ('refusal' in deadline) return { kind: 'refusal', ...deadline.refusal };
  const { identity } = identified;
  const event = issued(ports, call, identity, { at_ms, ...deadline });
  if (identity === undefined) {
    await append(ports, call, event);
    await showAtOnce(ports, event);
    return accepted(event.command_id);
  }
  const attempt = attemptOf(ports, call, event, identity);
  const commandId = await decideAndAppend(config, ports, call.deadlineMs, attempt);
  return commandId === undefined
    ? { kind: 'refusal', ...otherBody(header) }
    : accepted(commandId);
}

/**
 * One command of a key; the outcome is its id, or undefined when the key has another body. What the
 * store knows of the id already is in the log: a claim that ended early, or a key that was lost.
 */
function attemptOf(
  ports: SendCommandPorts, call: SendCall, event: ProviderCommandIssued,
  identity: CommandIdentity,
): Attempt<undefined, ProviderCommandIssued, string | undefined> {
  const { commandKeys, commands } = ports;
  const claimId = ports.ids.nonce();
  return {
    about: 'the command',
    load: () => Promise.resolve(undefined),
    decide: () => ({ kind: 'go', fact: event }),
    async claim(fact) {
      const claimed = await commandKeys.claim(identity, fact.command_id, claimId);
      switch (claimed.kind) {
        case 'busy': return { kind: 'busy' };
        case 'repeat': return { kind: 'done', outcome: claimed.command_id };
        case 'other_body': return { kind: 'done', outcome: undefined };
        case 'taken': {
          if (await commands.find(fact.command_id) === undefined) return { kind: 'go', fact };
          return await commandKeys.confirm(fact)
            ? { kind: 'done', outcome: fact.command_id }
            : { kind: 'busy' };
        }
      }
    },
    append: (fact) => append(ports, call, fact),
    async confirm(fact) {
      await showAtOnce(ports, fact);
      return await commandKeys.confirm(fact)
        ? { kind: 'done', outcome: fact.command_id }
        : { kind: 'lost', next: 'decide', isWorthWaiting: false };
    },
    release: () => commandKeys.release(identity, claimId),
  };
}

function accepted(commandId: string): Answer {
  const body: CommandAcceptedResponse = { status: 202, message: 'Accepted', command_id: commandId };
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': commandId } };
}

function append(
  { log }: SendCommandPorts, call: SendCall, event: ProviderCommandIssued,
): Promise<void> {
  return log.append({
    topic: TOPICS.providerCommands.name,
    key: event.command_key,
    value: Buffer.from(JSON.stringify(event)),
    headers: {
      'ingest-id': event.command_id,
      'received-at': String(call.receivedAtMs),
      client: event.client_id,
      provider: event.provider,
      country: event.country_id,
    },
  }, call.deadlineMs);
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
function issued(
  ports: SendCommandPorts, call: SendCall, identity: CommandIdentity | undefined,
  times: Pick<ProviderCommandIssued, 'at_ms' | 'expires_at_ms'>,
): ProviderCommandIssued {
  const body = call.body;
  return {
    type: 'ProviderCommandIssued',
    command_id: identity === undefined
      ? ports.ids.ingestId() : commandIdOf(ports.digest, identity),
    provider: call.params.provider,
    command_key: commandKeyOf(body),
    client_id: call.caller.clientId,
    country_id: call.query.country_id,
    ...(identity === undefined ? {} : { identity }),
    body,
    ...times,
  };
}
