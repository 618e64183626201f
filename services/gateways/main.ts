import { setFlagsFromString } from 'node:v8';
import { gatewaysSettings } from '../adapters/config/gateways.ts';
import { describeConfig, readConfig } from '../adapters/config/read-config.ts';
import { runProcess } from '../process/run-process.ts';
import { startGateways } from './assemble.ts';
import { GATEWAYS } from './gateways.ts';

// Bodies are buffers beside the heap. Without this V8 collects all of the heap for each 64 MB of
// them; with it they count towards the limit of the heap.
setFlagsFromString('--external-memory-accounted-in-global-limit');

await runProcess({
  service: 'gateways',
  table: GATEWAYS,
  configOf: (env) => readConfig('gateways', gatewaysSettings, env),
  describe: (config) => describeConfig('gateways', gatewaysSettings, config),
  leavingMsMax: ({ RASTRO_LAME_DUCK_MS, RASTRO_DRAIN_MS_MAX }) =>
    RASTRO_LAME_DUCK_MS + RASTRO_DRAIN_MS_MAX,
  start: startGateways,
});
