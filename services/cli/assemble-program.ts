import type { Define } from '../adapters/command-line/command-line.ts';
import { readRegistry } from '../adapters/config/read-registry.ts';
import { readReplicas } from '../adapters/config/replicas.ts';
import { readTls } from '../adapters/config/read-tls.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import { silentSignals, type Signals } from '../kernel/signals.ts';
import { openOperator, type OperatorConfig } from './assemble.ts';
import { openAnalysts } from './analyst/assemble.ts';
import { analystCommand, type AnalystPorts } from './analyst/command.ts';
import { openArchive, openArchiveEraser } from './archive/assemble.ts';
import { archiveCommand } from './archive/command.ts';
import { auditCommand } from './audit/command.ts';
import { addAuditOptions } from './audit/record-command.ts';
import { authorizationCommand } from './authorization/command.ts';
import { backupCommand, restoreCommand, verifyCommand } from './backup/assemble.ts';
import { CAPACITY_PORTS } from './capacity/assemble.ts';
import { capacityCommand } from './capacity/command.ts';
import { clientCommand } from './client/command.ts';
import { readOperatorConfig } from './config.ts';
import { conformanceCommand } from './conformance/command.ts';
import { openDeadLetters } from './dead-letters/assemble.ts';
import { dlqCommand } from './dead-letters/command.ts';
import { drainCommand } from './drain/command.ts';
import { openExport } from './export/assemble.ts';
import { exportCommand } from './export/command.ts';
import { deviceCommand } from './inspect/device-command.ts';
import { shipmentCommand } from './inspect/shipment-command.ts';
import type { Noun } from './noun.ts';
import { partyCommand } from './party/command.ts';
import { personCommand } from './person/command.ts';
import type { OperatorPorts, Report } from './ports.ts';
import { providerCommand } from './provider-command/command.ts';
import { codesCommand } from './codes/command.ts';
import { overflowCommand } from './overflow/command.ts';
import { rebuildCommand } from './rebuild/assemble.ts';
import { hotKeysCommand } from './watch/hot-keys-command.ts';
import { lagCommand } from './watch/lag-command.ts';
import { topicsCommand } from './watch/topics-command.ts';
import { within, type CommandEnv, type Open, type Opened } from './within.ts';

/** The commands that work with the log, by their names. */
const OF_THE_LOG: Readonly<Record<string, Noun<OperatorPorts>>> = {
  client: clientCommand, party: partyCommand, command: providerCommand,
  authorization: authorizationCommand, person: personCommand, device: deviceCommand,
  shipment: shipmentCommand, overflow: overflowCommand, codes: codesCommand, lag: lagCommand,
  topics: topicsCommand, 'hot-keys': hotKeysCommand, drain: drainCommand, audit: auditCommand,
};

/** The whole command line of `rastro`; no command opens anything before its words are right. */
export const rastro: Define<CommandEnv, Report> = (program, does) => {
  program.name('rastro').description('What people who run the platform do by hand.')
    .addHelpText('after', `
Example:
  rastro lag --max-seconds 60

Every command takes --json: one JSON value on standard output.
Exit codes: 0 done and in order, 1 failed or found something wrong, 2 wrong use.`);
  const mount = <Ports>(name: string, { define }: Noun<Ports>, open: Open<Ports>): void => {
    const command = program.command(name);
    define(command, within(open, does));
    addAuditOptions(command);
  };
  for (const [name, noun] of Object.entries(OF_THE_LOG)) mount(name, noun, opened(openOperator));
  mount('dlq', dlqCommand, opened(openDeadLetters));
  mount('analyst', analystCommand, withAnalysts);
  mount('archive', archiveCommand, ({ env }) => openArchive(env));
  mount('export', exportCommand, ({ env }) => openExport(env));
  mount('rebuild', rebuildCommand, bare);
  mount('backup', backupCommand, bare);
  mount('restore', restoreCommand, withOutput);
  mount('verify', verifyCommand, bare);
  mount('capacity', capacityCommand, () => bare(CAPACITY_PORTS));
  mount('conformance', conformanceCommand, bare);
};

/** With the files for TLS, the login at the registry and the replicas of the tables. */
function completed(config: OperatorConfig, env: NodeJS.ProcessEnv): OperatorConfig {
  const { redis, tables } = config;
  return {
    ...config,
    registryAccess: readRegistry(env),
    redis: redis && { ...redis, tls: readTls('REDIS', redis.url, env) },
    tables: tables && {
      ...tables, tls: readTls('CLICKHOUSE', tables.url, env),
      replicas: readReplicas(env['CLICKHOUSE_REPLICAS']),
    },
  };
}

/** The operator's audit, with the users of the store. */
async function withAnalysts(around: CommandEnv): Promise<Opened<AnalystPorts>> {
  const analysts = openAnalysts(around.env);
  const operator = await opened(openOperator)(around);
  return {
    ...operator, ports: analysts.ports,
    close: async () => {
      await Promise.all([analysts.close(), operator.close()]);
    },
  };
}

/** The operator's ports, for a command that another program does a part of. */
async function withOutput(around: CommandEnv): Promise<Opened<CommandEnv & OperatorPorts>> {
  const operator = await opened(openOperator)(around);
  return { ...operator, ports: { ...around, ...operator.ports } };
}

function bare<Ports>(ports: Ports): Opened<Ports> {
  return { ports, close: () => Promise.resolve() };
}

function opened<Ports>(
  open: (config: OperatorConfig, signals: Signals) => Promise<Opened<Ports>>,
): Open<Ports> {
  return ({ env: { KAFKA_TLS, ...env } }) => open({
    ...completed(readOperatorConfig(env), env),
    archiveEraser: openArchiveEraser(env),
    security: securityOf({ ...env, KAFKA_TLS: KAFKA_TLS === 'true' }),
  }, silentSignals);
}
