import type { CommandStates } from '../../../kernel/commands.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { PlatformHistory } from '../../../kernel/platform-history.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { commandResource } from '../command-resource.ts';

/** What showing a command needs from outside. */
export interface ShowCommandPorts {
  readonly commands: CommandStates;
  readonly platformHistory: Pick<PlatformHistory, 'deferredAnswer'>;
}

/**
 * `GET /platform/providers/{provider}/commands/{command_id}`: where a command stands, and of a
 * request for deferred events the answer, once it came. A command of another provider looks like a
 * missing one.
 */
export function showCommand(ports: ShowCommandPorts): Operation {
  return defineOperation('show-command', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  { commands, platformHistory }: ShowCommandPorts, call: CallOf<'show-command'>,
): Promise<Answer> {
  const command = await commands.find(call.params.command_id);
  if (command === undefined || command.issued.provider !== call.params.provider) {
    return {
      kind: 'refusal', code: 'command_not_found', detail: 'This provider has no such command.',
    };
  }
  const { provider, request_id } = command.issued;
  const answer = request_id === undefined
    ? undefined : await platformHistory.deferredAnswer(provider, request_id);
  return { kind: 'answer', status: 200, body: commandResource(command, answer) };
}
