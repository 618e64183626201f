import type { PlatformCommands } from '../../../../schemas/generated/types.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { CommandCursor, CommandStates, StoredCommand } from '../../../kernel/commands.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badChoice, badCursor, badFilter, badLimit, readLimit } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readParts, writeParts } from '../../common/read-page.ts';
import { readTimeRange } from '../../common/time-range.ts';
import { commandResource } from '../command-resource.ts';

/** What listing needs from outside. */
export interface ListCommandsPorts {
  readonly commands: Pick<CommandStates, 'find' | 'list'>;
  readonly clock: Clock;
}

const STATES: readonly string[] = ['queued', 'sending', 'done', 'refused', 'ended', 'cancelled'];

/**
 * `GET /platform/commands`: commands to all providers, the one issued last first, by pages; or one
 * by its id alone.
 */
export function listCommands(ports: ListCommandsPorts): Operation {
  return defineOperation('list-commands', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  { commands, clock }: ListCommandsPorts, { query }: CallOf<'list-commands'>,
): Promise<Answer> {
  const { command_id, state, transport_id, cursor } = query;
  const refusal = badFilter(query, ['command_id', 'provider', 'transport_id']);
  if (refusal !== undefined) return refusal;
  if (state !== undefined && !STATES.includes(state)) {
    return badChoice('state', state, STATES);
  }
  const range = readTimeRange(query, clock.nowMs());
  if ('kind' in range) return range;
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const after = cursor === undefined ? undefined : readCommandCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const page = command_id === undefined
    ? await commands.list({ ...range, transport_id }, after, limit)
    : { commands: await found(commands, command_id), next: undefined };
  const { next } = page;
  const body: PlatformCommands = {
    commands: page.commands.filter((each) => isOf(query, each)).map((each) => (
      commandResource(each)
    )).filter((each) => state === undefined || each.state === state),
    ...(next === undefined ? {} : { next_cursor: writeParts([next.at_ms, next.command_id]) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

async function found(
  commands: ListCommandsPorts['commands'], commandId: string,
): Promise<readonly StoredCommand[]> {
  const command = await commands.find(commandId);
  return command === undefined ? [] : [command];
}

function isOf(
  { provider, transport_id }: CallOf<'list-commands'>['query'], { issued }: StoredCommand,
): boolean {
  return (provider === undefined || issued.provider === provider)
    && (transport_id === undefined || String(issued.transport_id) === transport_id);
}

function readCommandCursor(text: string): CommandCursor | undefined {
  const [at = '', command_id = ''] = readParts(text, 2) ?? [];
  return /^\d{1,15}$/.test(at) && command_id !== '' ? { at_ms: Number(at), command_id } : undefined;
}
