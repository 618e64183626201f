import { progressReport } from '../adapters/command-line/report-progress.ts';
import { readRegistry } from '../adapters/config/read-registry.ts';
import { readReplicas } from '../adapters/config/replicas.ts';
import { readTls } from '../adapters/config/read-tls.ts';
import type { KafkaSecurity } from '../adapters/kafka/config.ts';
import { securityOf } from '../adapters/kafka/security.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { LogRangeReader, LogWatch } from '../kernel/log-watch.ts';
import type { LogReader } from '../kernel/record-log.ts';
import { reportingRangeReader, reportingReader } from '../kernel/reporting-reader.ts';
import { silentSignals, type Signals } from '../kernel/signals.ts';
import { openOperator, type OperatorConfig } from './assemble.ts';
import { reachLog } from './assemble-log.ts';
import { reachTables } from './assemble-reach.ts';
import { openAnalysts } from './analyst/assemble.ts';
import type { AnalystPorts } from './analyst/command.ts';
import { openArchive, openArchiveEraser } from './archive/assemble.ts';
import { readOperatorConfig } from './config.ts';
import { openDeadLetters } from './dead-letters/assemble.ts';
import { openExport } from './export/assemble.ts';
import type { OperatorPorts } from './ports.ts';
import type { CommandEnv, Open, Opened } from './within.ts';

// Loaded only when a command runs: help, wrong words and completion need no client of any store.

/** Opens what the commands over the log need. */
export const operatorPorts = opened(openOperator);

/** Opens what the commands about dead letters need. */
export const deadLetterPorts = opened(openDeadLetters);

/** Opens what a command needs that prints more than one report. */
export async function watchingPorts(
  around: CommandEnv,
): Promise<Opened<OperatorPorts & Pick<CommandEnv, 'print'>>> {
  const operator = await operatorPorts(around);
  return { ...operator, ports: { ...operator.ports, print: around.print } };
}

/** Opens the views for an export. */
export const exportPorts: Open<Awaited<ReturnType<typeof openExport>>['ports']> =
  async ({ env, asJson }) => {
    const opened = openExport(env, asJson);
    await reachTablesOf(env);
    return opened;
  };

/** Opens the views and the archive. */
export const archivePorts: Open<ReturnType<typeof openArchive>['ports']> =
  async ({ env }) => {
    const opened = openArchive(env);
    await reachTablesOf(env);
    return opened;
  };

/** Opens the users of the store, and the operator's audit. */
export async function analystPorts(around: CommandEnv): Promise<Opened<AnalystPorts>> {
  const analysts = openAnalysts(around.env);
  await reachTablesOf(around.env);
  const operator = await operatorPorts(around);
  return {
    ...operator, ports: analysts.ports,
    close: async () => {
      await Promise.all([analysts.close(), operator.close()]);
    },
  };
}

/** Ports of a command that another program does; that one opens what it needs. */
export interface ProgramPorts extends Pick<CommandEnv, 'asJson'> {
  /** Says within seconds which of the named stores no connection comes from. */
  readonly reach: (...stores: readonly ('log' | 'tables')[]) => Promise<void>;
}

/** Opens nothing, but looks whether stores are there. What is not set, the program asks for. */
export function programPorts({ asJson, env }: CommandEnv): Opened<ProgramPorts> {
  const brokers = (env['KAFKA_BROKERS'] ?? '').split(',').map((each) => each.trim()).filter(Boolean);
  const isSet = { log: brokers.length > 0, tables: (env['CLICKHOUSE_URL'] ?? '') !== '' };
  return {
    ports: {
      asJson,
      async reach(...stores) {
        if (stores.includes('log') && isSet.log) {
          await reachLog({ brokers, security: logSecurityOf(env) });
        }
        if (stores.includes('tables') && isSet.tables) await reachTablesOf(env);
      },
    },
    close: () => Promise.resolve(),
  };
}

/** Opens the operator's ports, for a command that another program does a part of. */
export async function portsWithOutput(
  around: CommandEnv,
): Promise<Opened<ProgramPorts & OperatorPorts>> {
  const operator = await operatorPorts(around);
  return { ...operator, ports: { ...programPorts(around).ports, ...operator.ports } };
}

async function reachTablesOf(env: NodeJS.ProcessEnv): Promise<void> {
  const { CLICKHOUSE_URL: url = '' } = env;
  await reachTables({ url, tls: readTls('CLICKHOUSE', url, env) });
}

function logSecurityOf({ KAFKA_TLS, ...env }: NodeJS.ProcessEnv): KafkaSecurity {
  return securityOf({ ...env, KAFKA_TLS: KAFKA_TLS === 'true' });
}

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

interface OfTheLog {
  readonly reader: LogReader;
  readonly rangeReader: Pick<LogRangeReader, 'readRanges'>;
  readonly watch: Pick<LogWatch, 'ranges'>;
}

/** Reads of the log report their progress. */
function opened<Ports extends OfTheLog>(
  open: (config: OperatorConfig, signals: Signals) => Promise<Opened<Ports>>,
): Open<Ports> {
  return async ({ env, asJson }) => {
    const found = await open({
      ...completed(readOperatorConfig(env), env),
      archiveEraser: openArchiveEraser(env),
      security: logSecurityOf(env),
    }, silentSignals);
    const { reader, rangeReader, watch } = found.ports;
    const progress = {
      report: progressReport(process.stderr, asJson), nowMs: () => systemClock.nowMs(),
    };
    return {
      ...found,
      ports: {
        ...found.ports,
        reader: reportingReader(reader, watch, progress),
        rangeReader: reportingRangeReader(rangeReader, progress),
        report: progress.report,
      },
    };
  };
}
