import { parseArgs } from 'node:util';
import type { ProviderCommandBody, ProviderCommandIssued } from '../../kernel/commands.ts';
import { commandKeyOf } from '../../domain/monitoring/command.ts';
import { stateOf } from '../../domain/monitoring/result.ts';
import { readCommands, recordCommand, type LoggedCommand } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { misuse } from '../usage.ts';

const OPTIONS = {
  transport: { type: 'string' },
  plate: { type: 'string' },
  country: { type: 'string' },
  body: { type: 'string' },
  provider: { type: 'string' },
  state: { type: 'string' },
} as const;

interface Options {
  readonly transport?: string;
  readonly plate?: string;
  readonly country?: string;
  readonly body?: string;
  readonly provider?: string;
  readonly state?: string;
}

const OPERATOR = 'operator';

/**
 * `rastro command send | show | list | resend`: commands to providers, through the log. `resend`
 * is for what a provider refused: a new command, corrected with `--body`, that names the old one.
 */
export async function commandCommand(
  ports: OperatorPorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [verb = '', first, second] = positionals;
  if (verb === 'send') return send(ports, first, second, values);
  const commands = await readCommands(ports.reader);
  if (verb === 'list') return list([...commands.values()], values);
  const command = commands.get(first ?? '');
  if (command === undefined) return misuse(`No command ${first ?? '(give its id)'}.`);
  switch (verb) {
    case 'show': return report(command);
    case 'resend': return resend(ports, command, values);
    default: return misuse(`Unknown: command ${verb}`);
  }
}

async function send(
  ports: OperatorPorts, provider: string | undefined, command: string | undefined,
  options: Options,
): Promise<Report> {
  if (provider === undefined) return misuse('Say which provider.');
  const body = bodyOf(command, options);
  if (typeof body === 'string') return misuse(body);
  return issue(ports, provider, options.country, body);
}

async function resend(
  ports: OperatorPorts, { issued, result }: LoggedCommand, options: Options,
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

/** The body from `--body`, or of a start or stop from its parts; a sentence when neither. */
function bodyOf(command: string | undefined, options: Options): object | string {
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
      id: Number(options.transport), license_plate: options.plate, country_id: options.country,
    },
  };
}

function list(commands: readonly LoggedCommand[], { provider, state }: Options): Report {
  const wanted = commands.map(shown).filter((each) =>
    (provider === undefined || each.provider === provider)
    && (state === undefined || each.state === state));
  return {
    value: wanted,
    lines: wanted.map((each) => [
      each.command_id, each.provider, each.command, each.command_key, each.state,
      `${each.attempts} attempts`, each.last_status ?? '',
    ].join('  ')),
    exitCode: 0,
  };
}

function report(command: LoggedCommand): Report {
  const value = { ...shown(command), body: command.issued.body };
  const lines = Object.entries(value)
    .map(([name, text]) => `${name.padEnd(15)} ${typeof text === 'string' ? text : JSON.stringify(text)}`);
  return { value, lines, exitCode: 0 };
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
