import { openOperator } from './assemble.ts';
import { runCapacity } from './assemble-capacity.ts';
import { runExport } from './assemble-export.ts';
import { rebuildCommand } from './assemble-rebuild.ts';
import { authorizationCommand } from './commands/authorization.ts';
import { clientCommand } from './commands/client.ts';
import { commandCommand } from './commands/command.ts';
import { dlqCommand } from './commands/dlq.ts';
import { lagCommand } from './commands/lag.ts';
import { partyCommand } from './commands/party.ts';
import { personCommand } from './commands/person.ts';
import { topicsCommand } from './commands/topics.ts';
import { readOperatorConfig } from './config.ts';
import { conformanceCommand } from './conformance/assemble.ts';
import { openLetters } from './letters/assemble.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import type { OperatorConfig } from './assemble.ts';
import type { OperatorPorts, Report } from './ports.ts';
import { misuse, USAGE } from './usage.ts';

type Command = (ports: OperatorPorts, args: readonly string[]) => Promise<Report>;

const COMMANDS: Readonly<Record<string, Command>> = {
  client: clientCommand, party: partyCommand, command: commandCommand,
  authorization: authorizationCommand, person: personCommand, lag: lagCommand,
  topics: topicsCommand,
};

const SILENT = { log: () => {}, count: () => {}, gauge: () => {}, observe: () => {} };

/** Runs one command, prints its report, and sets the exit code. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const asJson = args.includes('--json');
  const [name = '', ...rest] = args.filter((each) => each !== '--json');
  if (['', 'help', '--help', '-h'].includes(name)) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  if (name === 'rebuild') {
    process.exitCode = await rebuildCommand(rest, asJson);
    return;
  }
  if (name === 'dlq') return show(await aboutLetters(rest), asJson);
  if (name === 'capacity') return show(runCapacity(rest), asJson);
  if (name === 'export') return show(await runExport(rest, process.env), asJson);
  if (name === 'conformance') return show(await conformanceCommand(rest, process.env), asJson);
  const command = COMMANDS[name];
  if (command === undefined) return show(misuse(`Unknown command ${name}.`), asJson);
  const { ports, close } = await openOperator(operatorConfig(), SILENT);
  try {
    show(await command(ports, rest), asJson);
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

async function aboutLetters(args: readonly string[]): Promise<Report> {
  const { ports, close } = await openLetters(operatorConfig(), SILENT);
  try {
    return await dlqCommand(ports, args);
  } finally {
    await close();
  }
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.exit();
