import { openOperator } from './assemble.ts';
import { runCapacity } from './capacity/assemble.ts';
import { runExport } from './export/assemble.ts';
import { rebuildCommand } from './rebuild/assemble.ts';
import { authorizationCommand } from './authorization/command.ts';
import { clientCommand } from './client/command.ts';
import { commandCommand } from './provider-command/command.ts';
import { deviceCommand } from './inspect/device-command.ts';
import { dlqCommand } from './dead-letters/command.ts';
import { drainCommand } from './drain/command.ts';
import { hotKeysCommand } from './watch/hot-keys-command.ts';
import { lagCommand } from './watch/lag-command.ts';
import { partyCommand } from './party/command.ts';
import { personCommand } from './person/command.ts';
import { quarantineCommand } from './quarantine/command.ts';
import { shipmentCommand } from './inspect/shipment-command.ts';
import { topicsCommand } from './watch/topics-command.ts';
import { readOperatorConfig } from './config.ts';
import { conformanceCommand } from '../conformance/assemble.ts';
import { openLetters } from './dead-letters/assemble.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import type { Signals } from '../kernel/signals.ts';
import type { OperatorConfig } from './assemble.ts';
import type { OperatorPorts, Report } from './ports.ts';
import { HELP, misuse, USAGE } from './usage.ts';

type Command = (ports: OperatorPorts, args: readonly string[]) => Promise<Report>;

const COMMANDS: Readonly<Record<string, Command>> = {
  client: clientCommand, party: partyCommand, command: commandCommand,
  authorization: authorizationCommand, person: personCommand, lag: lagCommand,
  topics: topicsCommand, device: deviceCommand, shipment: shipmentCommand,
  'hot-keys': hotKeysCommand, drain: drainCommand, quarantine: quarantineCommand,
};

const SILENT = { log: () => {}, count: () => {}, gauge: () => {}, observe: () => {} };

/** Runs one command, prints its report, and sets the exit code. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const asJson = args.includes('--json');
  const [first = 'help', ...rest] = args.filter((each) => each !== '--json');
  const isHelp = ['help', '--help', '-h'].includes(first);
  const name = isHelp ? rest[0] ?? '' : first;
  const asked = isHelp || rest.includes('--help') || rest.includes('-h');
  if (asked) {
    const usage = helpOf(name);
    return show({ value: { usage }, lines: [usage], exitCode: 0 }, asJson);
  }
  const report = await run(name, rest, asJson).catch(wrongOptions);
  const help = report.exitCode === 2 ? ['', helpOf(name)] : [];
  show({ ...report, lines: [...report.lines, ...help] }, asJson);
}

function helpOf(name: string): string {
  return HELP[name] ?? USAGE;
}

async function run(name: string, args: readonly string[], asJson: boolean): Promise<Report> {
  if (name === 'rebuild') return rebuildCommand(args, asJson);
  if (name === 'capacity') return runCapacity(args);
  if (name === 'export') return runExport(args, process.env);
  if (name === 'conformance') return conformanceCommand(args, process.env);
  if (name === 'dlq') return within(openLetters, (ports) => dlqCommand(ports, args));
  const command = COMMANDS[name];
  if (command === undefined) return misuse(`Unknown command ${name}.`);
  return within(openOperator, (ports) => command(ports, args));
}

/** Opens the ports of a command and closes them behind it. */
async function within<Ports>(
  open: (config: OperatorConfig, signals: Signals) => Promise<{
    readonly ports: Ports; readonly close: () => Promise<void>;
  }>,
  use: (ports: Ports) => Promise<Report>,
): Promise<Report> {
  const { ports, close } = await open(operatorConfig(), SILENT);
  try {
    return await use(ports);
  } finally {
    await close();
  }
}

/** The addresses of the environment, and how to log in at the brokers. */
function operatorConfig(): OperatorConfig {
  const { KAFKA_TLS, ...env } = process.env;
  const security = securityOf({ ...env, KAFKA_TLS: KAFKA_TLS === 'true' });
  return { ...readOperatorConfig(env), security };
}

/** Options that a command does not have are wrong use, and no failure of the command. */
function wrongOptions(error: unknown): Report {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof TypeError && String(code).startsWith('ERR_PARSE_ARGS_')) {
    return misuse(message ?? 'Wrong options.');
  }
  throw error;
}

function show(report: Report, asJson: boolean): void {
  process.exitCode = report.exitCode;
  // Without lines, standard output holds what was asked for already.
  if (report.lines.length === 0) return;
  const text = asJson ? JSON.stringify(report.value) : report.lines.join('\n');
  (report.exitCode === 2 ? process.stderr : process.stdout).write(`${text}\n`);
}

try {
  await main();
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(process.argv.includes('--json')
    ? `${JSON.stringify({ error: text })}\n` : `${text}\n`);
  process.exitCode = 1;
}
process.exit();
