import { describeConfig, readConfig } from '../adapters/config/read-config.ts';
import { workersSettings } from '../adapters/config/workers.ts';
import { runProcess } from '../process/run-process.ts';
import { startWorkers } from './assemble.ts';
import { WORKERS } from './workers.ts';

await runProcess({
  service: 'workers',
  table: WORKERS,
  configOf: (env) => readConfig('workers', workersSettings, env),
  describe: (config) => describeConfig('workers', workersSettings, config),
  leavingMsMax: ({ RASTRO_DRAIN_MS_MAX }) => RASTRO_DRAIN_MS_MAX,
  start: startWorkers,
});
