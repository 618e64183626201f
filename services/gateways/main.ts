import { gatewaysSettings } from '../adapters/config/gateways.ts';
import { describeConfig, readConfig } from '../adapters/config/read-config.ts';
import { createSignals } from '../adapters/signals/signals.ts';
import { createLifecycle } from '../adapters/system/lifecycle.ts';
import { startGateways } from './assemble.ts';
import { GATEWAY_ROOMS, type GatewayRoom } from './assemble-operations.ts';

/** For a part that ends on top of the time that its work is given, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Runs the rooms named on the command line (`all` for every one) until it is told to end. */
async function main(): Promise<void> {
  const rooms = roomsOf(process.argv.slice(2));
  const config = readConfig('gateways', gatewaysSettings, process.env);
  const level = config.RASTRO_LOG_LEVEL as 'debug' | 'info' | 'warn' | 'error';
  const signals = createSignals({ service: 'gateways', level, measuresProcess: true });
  signals.boot(describeConfig('gateways', gatewaysSettings, config));
  const leavingMsMax = config.RASTRO_LAME_DUCK_MS + config.RASTRO_DRAIN_MS_MAX;
  const lifecycle = createLifecycle({ releaseMsMax: leavingMsMax + PATIENCE_MS }, signals);
  lifecycle.onRelease('signals', signals.flush);
  try {
    const { http, admin } = await startGateways(rooms, config, signals, lifecycle);
    signals.listening({
      url: http.url, admin_url: admin.url, rooms: rooms.join(' '),
    });
    await lifecycle.untilTold();
    signals.draining();
  } finally {
    await lifecycle.release();
  }
}

function roomsOf(names: readonly string[]): readonly GatewayRoom[] {
  if (names.length === 0 || names.includes('all')) return GATEWAY_ROOMS;
  const unknown = names.find((name) => !GATEWAY_ROOMS.some((room) => room === name));
  if (unknown !== undefined) {
    throw new Error(`No gateway ${unknown}; there are ${GATEWAY_ROOMS.join(', ')} and all.`);
  }
  return GATEWAY_ROOMS.filter((room) => names.includes(room));
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
  process.exit(1);
}
