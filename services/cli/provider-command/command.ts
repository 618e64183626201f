import { example } from '../../adapters/command-line/command-line.ts';
import type { ProviderCommandBody, ProviderCommandIssued } from '../../kernel/commands.ts';
import { commandKeyOf } from '../../domain/monitoring/command.ts';
import { cancelCommand, isCancelledByOperator, stateOf } from '../../domain/monitoring/result.ts';
import { readCommands, recordCommand, recordEnd, type LoggedCommand } from './log.ts';
import { readParties } from '../party/log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { at, noneOf, tableOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import { longOf } from '../../kernel/longs.ts';

interface BodyOptions {
  readonly transport?: string;
  readonly plate?: string;
  readonly country?: string;
  readonly body?: string;
}

interface ListOptions {
  readonly provider?: string;
  readonly state?: string;
}

const OPERATOR = 'operator';

/**
 * `rastro command send | show | list | resend | cancel`: commands to providers, through the log.
 * `resend` is for what a provider refused: a new command, corrected with `--body`, that names the
 * old one. `cancel` ends one that waits or is sent (ADR 0085).
 */
export const providerCommand = noun<OperatorPorts>((command, does) => {
  command.description('Commands to providers.');
  example(command.command('send')
    .description('Sends a command to a provider: by name and transport, or with any body.')
    .argument('<provider>', 'name of the provider')
    .argument('[command]', 'start_tracking or stop_tracking')
    .option('--transport <id>', 'id of the transport')
    .option('--plate <plate>', 'license plate of the transport')
    .option('--country <id>', 'country of the transport, such as US')
    .option('--body <json>', 'the whole command as the interface has it')
    .action(does((ports, provider: string, name: string | undefined, options: BodyOptions) =>
      send(ports, provider, name, options))),
  'rastro command send acme start_tracking --transport 42 --plate AB123CD --country US',
  DONE_OR_NONE);
  example(command.command('list').description('The commands that were issued.')
    .option('--provider <name>', 'only of this provider')
    .option('--state <state>', 'only in this state, such as refused')
    .action(does(async ({ reader }, options: ListOptions) =>
      list([...(await readCommands(reader)).values()], options))),
  'rastro command list --provider acme', DONE);
  example(command.command('show').description('One command.')
    .argument('<id>', 'id of the command')
    .action(does((ports, id: string) => withCommand(ports, id, report))),
  'rastro command show 01890f4e-0000-7000-8000-000000000000', DONE_OR_NONE);
  example(command.command('resend')
    .description('Sends again what was refused or has ended, as a new command.')
    .argument('<id>', 'id of the command')
    .option('--country <id>', 'another country')
    .option('--body <json>', 'the corrected command')
    .action(does((ports, id: string, options: BodyOptions) =>
      withCommand(ports, id, (logged) => resend(ports, logged, options)))),
  'rastro command resend 01890f4e-0000-7000-8000-000000000000 --body "$(cat command.json)"',
  DONE_OR_NONE);
  example(command.command('cancel')
    .description('Ends a command that waits or is sent again and again: it is not tried any more.'
      + ' The answer to an attempt in flight counts.')
    .argument('<id>', 'id of the command')
    .action(does((ports, id: string) => withCommand(ports, id, (logged) => cancel(ports, logged)))),
  'rastro command cancel 01890f4e-0000-7000-8000-000000000000 --reason TICKET', DONE_OR_NONE);
});

async function withCommand(
  { reader }: OperatorPorts, id: string,
  use: (command: LoggedCommand) => Report | Promise<Report>,
): Promise<Report> {
  const command = (await readCommands(reader)).get(id);
  return command === undefined ? notFound(`No command ${id}.`) : use(command);
}

async function send(
  ports: OperatorPorts, provider: string, command: string | undefined, options: BodyOptions,
): Promise<Report> {
  const body = bodyOf(command, options);
  if (typeof body === 'string') return misuse(body);
  return issue(ports, provider, options.country, body);
}

async function resend(
  ports: OperatorPorts, { issued, result }: LoggedCommand, options: BodyOptions,
): Promise<Report> {
  const state = stateOf(result);
  if (state !== 'refused' && state !== 'ended') {
    return misuse(`The command is ${state}; only what was refused or ended is sent again.`);
  }
  const body = options.body === undefined ? issued.body : bodyOf(undefined, options);
  if (typeof body === 'string') return misuse(body);
  const country = options.country ?? issued.country_id;
  return issue(ports, issued.provider, country, body, issued.command_id);
}

async function cancel(ports: OperatorPorts, { issued, result }: LoggedCommand): Promise<Report> {
  // The same again gets the same answer.
  if (isCancelledByOperator(result)) return report({ issued, result });
  const end = cancelCommand(issued, result, ports.clock.nowMs());
  if (end === undefined) {
    return misuse(`The command is ${stateOf(result)}; there is nothing left to cancel.`);
  }
  await recordEnd(ports, end);
  return report({ issued, result: end });
}

async function issue(
  ports: OperatorPorts, provider: string, country: string | undefined, body: object,
  corrects?: string,
): Promise<Report> {
  const explain = ports.schemas.checkOf('ProviderCommandBody')(body);
  if (explain !== undefined) {
    const { detail, errors = [] } = explain();
    const faults = errors.map(({ pointer, message }) => `${pointer}: ${message}`);
    return misuse([detail, ...faults].join(' '));
  }
  const valid = body as ProviderCommandBody;
  const country_id = country ?? ('transport' in valid ? valid.transport.country_id : undefined);
  if (country_id === undefined) return misuse('Say --country.');
  if (!await isCalled(ports, provider)) {
    return notFound(`No active party is provider ${provider}: rastro party list.`);
  }
  const issued: ProviderCommandIssued = {
    type: 'ProviderCommandIssued',
    command_id: ports.ids.ingestId(),
    provider,
    command_key: commandKeyOf(valid),
    client_id: OPERATOR,
    country_id,
    ...(corrects === undefined ? {} : { corrects }),
    body: valid,
    at_ms: ports.clock.nowMs(),
  };
  await recordCommand(ports, issued);
  return report({ issued, result: undefined });
}

/** True when there is a party that would get it; else it would wait forever. */
async function isCalled({ reader }: OperatorPorts, provider: string): Promise<boolean> {
  return [...(await readParties(reader)).values()]
    .some((party) => party.provider === provider && party.status === 'active');
}

/** The body from `--body`, or of a start or stop from its parts; a sentence when neither. */
function bodyOf(command: string | undefined, options: BodyOptions): object | string {
  if (options.body !== undefined) {
    try {
      const body: unknown = JSON.parse(options.body);
      return typeof body === 'object' && body !== null ? body : '--body is no JSON object.';
    } catch (error) {
      if (error instanceof SyntaxError) return '--body is no JSON.';
      throw error;
    }
  }
  if (command === undefined) return 'Say which command, or --body JSON.';
  return {
    command,
    transport: {
      id: longOf(options.transport ?? 'none'), license_plate: options.plate, country_id: options.country,
    },
  };
}

function list(commands: readonly LoggedCommand[], { provider, state }: ListOptions): Report {
  const wanted = commands.map(shown).filter((each) =>
    (provider === undefined || each.provider === provider)
    && (state === undefined || each.state === state))
    .sort((a, b) => a.at_ms - b.at_ms);
  return {
    value: wanted,
    lines: wanted.length === 0 ? [noneOf(commands, 'No command was issued.')] : tableOf(
      ['ISSUED', 'COMMAND_ID', 'PROVIDER', 'COMMAND', 'KEY', 'STATE', 'ATTEMPTS', 'STATUS'],
      wanted.map((each) => [
        at(each.at_ms), each.command_id, each.provider, each.command, each.command_key,
        each.state, each.attempts, each.last_status ?? '',
      ]),
    ),
    exitCode: 0,
  };
}

function report(command: LoggedCommand): Report {
  const value = { ...shown(command), body: command.issued.body };
  return { value, lines: membersOf(value), exitCode: 0 };
}

function shown({ issued, result }: LoggedCommand) {
  const { type: _, body, ...rest } = issued;
  return {
    ...rest,
    command: body.command,
    state: stateOf(result),
    attempts: result?.attempt ?? 0,
    ...(result?.status === undefined ? {} : { last_status: result.status }),
    ...(result === undefined ? {} : { last_reason: result.reason, last_at_ms: result.at_ms }),
    ...(result?.next_attempt_at_ms === undefined
      ? {} : { next_attempt_at_ms: result.next_attempt_at_ms }),
    ...(result?.cancelled_by === undefined ? {} : { cancelled_by: result.cancelled_by }),
  };
}
