import type { CommandStates } from '../../../kernel/commands.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { commandResource } from '../command-resource.ts';

/**
 * `GET /platform/providers/{provider}/commands/{command_id}`: where a command stands. A command of
 * another provider looks like a missing one.
 */
export function showCommand(commands: CommandStates): Operation {
  return defineOperation('show-command', {
    errors: problemErrors,
    handle: (call) => handle(commands, call),
  });
}

async function handle(commands: CommandStates, call: CallOf<'show-command'>): Promise<Answer> {
  const command = await commands.find(call.params.command_id);
  if (command === undefined || command.issued.provider !== call.params.provider) {
    return {
      kind: 'refusal', code: 'command_not_found', detail: 'This provider has no such command.',
    };
  }
  return { kind: 'answer', status: 200, body: commandResource(command) };
}
