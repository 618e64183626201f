import { example, parseCommandLine } from '../adapters/command-line/command-line.ts';

/** What may be set from outside; everything else is in `assemble.ts`. */
export interface ProviderConfig {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
  readonly country_id: string;
  readonly host: string;
  readonly port: number;
  readonly commandToken: string;
  /** A token that is known but may not command. */
  readonly otherToken: string | undefined;
  readonly devices: number;
  /** Shipments in progress at the same time, authorized and pushed as their carrier. */
  readonly shipments: number;
  readonly speed: number;
  /** Length of the run; 0 runs until it is stopped. */
  readonly runSeconds: number;
  readonly sources: readonly string[];
  readonly requestsPerSecondMax: number;
  readonly backoffMsMax: number;
  readonly drainMsMax: number;
  readonly ledgerFile: string | undefined;
}

interface Flags {
  readonly devices?: string;
  readonly shipments?: string;
  readonly speed?: string;
  readonly for?: string;
  readonly ledger?: string;
  readonly sources?: string;
}

/**
 * Reads the environment, over which flags win. Throws one error that names every fault, so that a
 * badly set provider never starts; for `--help` it is the help.
 */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[]): ProviderConfig {
  const parsed = parseCommandLine<NodeJS.ProcessEnv, ProviderConfig>((command, does) => {
    example(command.name('node services/provider/main.ts')
      .description('The reference provider; its settings come from RASTRO_… of the environment.')
      .option('--devices <n>', 'devices of the replay')
      .option('--shipments <n>', 'shipments in progress at the same time')
      .option('--speed <x>', 'how much faster than the road')
      .option('--for <time>', 'length of the run, such as 60s')
      .option('--ledger <file>', 'where it writes down what it sent')
      .option('--sources <names>', 'recorded tracks, with commas between')
      .action(does(configOf)),
    'node services/provider/main.ts --devices 10 --for 60s',
    'Exit codes: 0 ended by a signal, 1 failed, 2 wrong use.');
  }, args);
  if (parsed.kind === 'run') return parsed.work(env) as ProviderConfig;
  throw new Error(parsed.kind === 'help' ? parsed.help : parsed.sentence);
}

function configOf(env: NodeJS.ProcessEnv, flags: Flags): ProviderConfig {
  const faults: string[] = [];

  function text(name: string, fallback?: string): string {
    const value = env[name] ?? fallback;
    if (value !== undefined && value !== '') return value;
    faults.push(`${name} is not set`);
    return '';
  }

  function number(name: string, fallback: number, least: number, most: number, flag?: string) {
    const written = flag ?? env[name] ?? String(fallback);
    const value = written.trim() === '' ? Number.NaN : Number(written.replace(/s$/, ''));
    if (value >= least && value <= most) return value;
    faults.push(`${name} is ${written}, not a number from ${least} to ${most}`);
    return fallback;
  }

  const url = text('RASTRO_URL');
  if (url !== '' && !/^https?:\/\/./.test(url)) faults.push('RASTRO_URL is no http address');
  const sources = flags.sources ?? env['RASTRO_REPLAY_SOURCES'] ?? '';
  const config: ProviderConfig = {
    url,
    clientId: text('RASTRO_CLIENT_ID'),
    clientSecret: text('RASTRO_CLIENT_SECRET'),
    provider: text('RASTRO_PROVIDER'),
    country_id: text('RASTRO_COUNTRY', 'US'),
    host: text('RASTRO_PROVIDER_HOST', '127.0.0.1'),
    port: number('RASTRO_PROVIDER_PORT', 0, 0, 65_535),
    commandToken: text('RASTRO_PROVIDER_COMMAND_TOKEN'),
    otherToken: env['RASTRO_PROVIDER_OTHER_TOKEN'],
    devices: number('RASTRO_REPLAY_DEVICES', 0, 0, 50_000, flags.devices),
    shipments: number('RASTRO_REPLAY_SHIPMENTS', 0, 0, 10_000, flags.shipments),
    speed: number('RASTRO_REPLAY_SPEED', 1, 0.01, 10_000, flags.speed),
    runSeconds: number('RASTRO_REPLAY_SECONDS', 0, 0, 1e9, flags.for),
    sources: sources.split(',').filter((source) => source !== ''),
    requestsPerSecondMax: number('RASTRO_REPLAY_REQUESTS_PER_SECOND_MAX', 150, 1, 1e6),
    backoffMsMax: number('RASTRO_PROVIDER_BACKOFF_MS_MAX', 30_000, 1, 3_600_000),
    drainMsMax: number('RASTRO_PROVIDER_DRAIN_MS_MAX', 20_000, 0, 3_600_000),
    ledgerFile: flags.ledger ?? env['RASTRO_LEDGER_FILE'],
  };
  if (faults.length > 0) throw new Error(`Bad configuration: ${faults.join('; ')}.`);
  return config;
}
