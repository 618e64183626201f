// Rebuilds a store from the log, or says how it differs: see `rastro rebuild`.
import { example, oneOf } from '../adapters/command-line/command-line.ts';
import { runScript } from '../adapters/command-line/run-script.ts';
import { isUnavailable } from '../kernel/unavailable.ts';
import { silentSignals } from '../kernel/signals.ts';
import {
  dryRunRedis, dryRunTables, readRebuildConfig, runRedis, runTables, type RebuildConfig,
} from './assemble-rebuild.ts';
import {
  reportStateDifference, reportStateRebuilt, reportTablesCompared, reportTablesRebuilt,
  type RebuildReport,
} from './rebuild/report.ts';

const STORES = ['redis', 'clickhouse'] as const;
type Store = (typeof STORES)[number];

interface Words {
  readonly dryRun: boolean;
  readonly lastFixes: boolean;
  readonly json: boolean;
}

await runScript((command, does) => {
  example(command.name('node services/workers/rebuild-once.ts')
    .description('Rebuilds a store from the log, or says how it differs; see `rastro rebuild`.')
    .argument('<store>', STORES.join(' or '), oneOf(STORES))
    .option('--dry-run', 'only says how it differs', false)
    .option('--last-fixes', 'of redis, also the last fixes', false)
    .option('--json', 'one JSON value', false)
    .action(does(async (_ports, store: Store, { dryRun, lastFixes, json }: Words) => {
      const report = await run(store, readRebuildConfig(process.env), dryRun, lastFixes)
        .catch(withStack);
      const text = json ? JSON.stringify(report.value) : report.lines.join('\n');
      process.stdout.write(`${text}\n`);
      return report.exitCode;
    })),
  'node services/workers/rebuild-once.ts redis --dry-run',
  'Exit codes: 0 done or equal, 1 failed or different, 2 wrong use.');
});

/** An outage is one sentence; anything else is an error of ours and shows where it was made. */
function withStack(error: unknown): never {
  throw isUnavailable(error) || !(error instanceof Error) ? error : new Error(error.stack);
}

async function run(
  store: Store, config: RebuildConfig, isDry: boolean, withFixes: boolean,
): Promise<RebuildReport> {
  if (store === 'redis') {
    return isDry
      ? reportStateDifference(await dryRunRedis(config, silentSignals))
      : reportStateRebuilt(await runRedis(config, silentSignals, withFixes));
  }
  return isDry
    ? reportTablesCompared(await dryRunTables(config, silentSignals))
    : reportTablesRebuilt(await runTables(config, silentSignals));
}
