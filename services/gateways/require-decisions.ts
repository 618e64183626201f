import type { GatewayRoom } from './gateways.ts';

/** The page that says how each of these settings is decided. */
export const SETTINGS_PAGE = 'docs/how-to/settings.md';

/** What a deployment writes to say that a setting is decided, and that there is nothing to name. */
export const NONE = 'none';

/** What is read here of the settings of the gateways. */
interface Settings {
  readonly RASTRO_HTTP_HOST: string;
  readonly RASTRO_TRUSTED_PROXIES: readonly string[];
  readonly RASTRO_CARRIER_CLIENT_ID?: string | undefined;
  readonly RASTRO_IMAGE_KEY?: string | undefined;
  readonly CLICKHOUSE_URL?: string | undefined;
}

/** A setting that has no default which is right for every deployment. */
interface Decision {
  /** Absent where each room asks. */
  readonly rooms?: readonly GatewayRoom[];
  readonly isDecided: (settings: Settings) => boolean;
  readonly sentence: string;
}

const DECISIONS: readonly Decision[] = [
  {
    isDecided: (settings) => settings.RASTRO_TRUSTED_PROXIES.length > 0,
    sentence: 'RASTRO_TRUSTED_PROXIES is not decided: name the networks of what ends connections'
      + ` in front of the gateways, or ${NONE}`,
  },
  {
    rooms: ['authorization'],
    isDecided: (settings) => settings.RASTRO_CARRIER_CLIENT_ID !== undefined,
    sentence: 'RASTRO_CARRIER_CLIENT_ID is not decided: name the client that notifies about the'
      + ` tracking numbers given here, or ${NONE}`,
  },
  {
    rooms: ['notifications'],
    isDecided: (settings) => settings.RASTRO_IMAGE_KEY !== undefined,
    sentence: 'RASTRO_IMAGE_KEY is not decided: without it no proof of delivery can be kept',
  },
  {
    rooms: ['notifications', 'query'],
    isDecided: (settings) => settings.CLICKHOUSE_URL !== undefined,
    sentence: 'CLICKHOUSE_URL is not decided: without it no feed, journey or receipt can be read',
  },
];

/**
 * Throws one sentence that names the settings which a deployment must decide, and the page about
 * them. A gateway that only this machine can reach is no deployment.
 */
export function requireDecisions(rooms: readonly GatewayRoom[], settings: Settings): void {
  if (isLoopback(settings.RASTRO_HTTP_HOST)) return;
  const open = DECISIONS
    .filter(({ rooms: asking = rooms }) => asking.some((room) => rooms.includes(room)))
    .filter(({ isDecided }) => !isDecided(settings))
    .map(({ sentence }) => sentence);
  if (open.length > 0) throw new Error(`${open.join('; ')} (${SETTINGS_PAGE}).`);
}

/** The named proxies; none where a deployment says so. */
export function trustedProxiesOf(named: readonly string[]): readonly string[] {
  return named.filter((each) => each !== NONE);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
