import { countriesOf } from '../adapters/config/countries.ts';
import { openConsole } from '../adapters/console/open-console.ts';
import { openMapFile } from '../adapters/console/open-map-file.ts';
import type { Lifecycle } from '../adapters/system/lifecycle.ts';
import { systemClock } from '../adapters/system/system.ts';
import type { AccessStates } from '../kernel/access.ts';
import type { Operation } from '../kernel/http.ts';
import type { Pages } from '../kernel/pages.ts';
import type { RecordLog } from '../kernel/record-log.ts';
import type { GatewaysConfig } from './assemble-config.ts';
import { createConsolePages } from './console/find-console.ts';
import { endSession } from './console/operations/end-session.ts';
import { openSession } from './console/operations/open-session.ts';
import { showSession } from './console/operations/show-session.ts';
import type { GatewayRoom } from './gateways.ts';

/** What a process serves of the console. */
export interface ConsoleParts {
  readonly operations: readonly Operation[];
  readonly pages: readonly Pages[];
}

/** What the operations of sessions need of the platform. */
interface SessionParts {
  readonly states: { readonly access: AccessStates };
  readonly log: RecordLog;
}

type ConsoleConfig = Pick<GatewaysConfig, 'RASTRO_COUNTRIES' | typeof TILES>;

const TILES = 'RASTRO_CONSOLE_TILES_FILE';

/** The console of a process that has that room. */
export async function consoleOf(
  rooms: readonly GatewayRoom[], config: ConsoleConfig, parts: SessionParts,
  lifecycle: Pick<Lifecycle, 'onRelease'>,
): Promise<ConsoleParts> {
  if (!rooms.includes('console')) return { operations: [], pages: [] };
  const path = config[TILES];
  const map = path === undefined ? undefined : await openMapFile(TILES, path);
  if (map !== undefined) lifecycle.onRelease('map', map.close);
  return {
    operations: consoleOperations(config.RASTRO_COUNTRIES, parts),
    pages: [createConsolePages(openConsole(map))],
  };
}

/**
 * The operations of sessions. They are for the console's own pages alone, so they are in no
 * document of the interface. `countries` are those that the deployment serves.
 */
export function consoleOperations(
  countries: readonly string[], { states, log }: SessionParts,
): readonly Operation[] {
  const [country = ''] = countriesOf(countries).keys();
  const session = { states: states.access, log, clock: systemClock, country };
  return [openSession(session), showSession(session), endSession(session)];
}
