// Rebuilds a store from the log, or says how it differs: see `rastro rebuild`.
import { parseArgs } from 'node:util';
import { isUnavailable } from '../kernel/unavailable.ts';
import { silentSignals } from '../kernel/signals.ts';
import {
  dryRunRedis, dryRunTables, readRebuildConfig, runRedis, runTables, type RebuildConfig,
} from './assemble-rebuild.ts';
import {
  tellStateDifference, tellStateRebuilt, tellTablesCompared, tellTablesRebuilt, type RebuildReport,
} from './rebuild/tell.ts';


const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  positions: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [store, ...more] = positionals;
  if (more.length > 0 || (store !== 'redis' && store !== 'clickhouse')) {
    process.stderr.write('Say which: redis or clickhouse.\n');
    process.exitCode = 2;
    return;
  }
  const config = readRebuildConfig(process.env);
  const report = await run(store, config, values['dry-run'], values.positions);
  const text = values.json ? JSON.stringify(report.value) : report.lines.join('\n');
  process.stdout.write(`${text}\n`);
  process.exitCode = report.exitCode;
}

async function run(
  store: 'redis' | 'clickhouse', config: RebuildConfig, isDry: boolean, withPlaces: boolean,
): Promise<RebuildReport> {
  if (store === 'redis') {
    return isDry
      ? tellStateDifference(await dryRunRedis(config, silentSignals))
      : tellStateRebuilt(await runRedis(config, silentSignals, withPlaces));
  }
  return isDry
    ? tellTablesCompared(await dryRunTables(config, silentSignals))
    : tellTablesRebuilt(await runTables(config, silentSignals));
}

try {
  await main();
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${isUnavailable(error) ? text : error instanceof Error ? error.stack ?? text : text}\n`);
  process.exitCode = 1;
}
process.exit();
