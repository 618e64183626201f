import { gatewaysSettings } from '../adapters/config/gateways.ts';
import { describeConfig, readConfig } from '../adapters/config/read-config.ts';
import { runProcess } from '../process/run-process.ts';
import { startGateways } from './assemble.ts';
import { GATEWAYS } from './gateways.ts';

await runProcess({
  service: 'gateways',
  table: GATEWAYS,
  configOf: (env) => readConfig('gateways', gatewaysSettings, env),
  describe: (config) => describeConfig('gateways', gatewaysSettings, config),
  leavingMsMax: ({ RASTRO_LAME_DUCK_MS, RASTRO_DRAIN_MS_MAX }) =>
    RASTRO_LAME_DUCK_MS + RASTRO_DRAIN_MS_MAX,
  start: startGateways,
});
