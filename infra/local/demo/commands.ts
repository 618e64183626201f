import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../wait.ts';
import type { CommandTransport, PlannedRoute } from '../../../schemas/generated/types.ts';
import type { Platform } from './party.ts';

/** What is commanded in one demonstration. */
export interface CommandsConfig {
  readonly transports: number;
  readonly country: string;
  /** When the later commands come, in milliseconds after the first ones. */
  readonly laterMs: number;
  /** How long a command may take to reach the provider, in milliseconds. */
  readonly doneMsMax: number;
}

const FIRST_TRANSPORT_ID = 1_000_001;
const FIRST_ROUTE_ID = 5_001;
const DAY_MS = 86_400_000;
/** Of the transports: so many are asked for their events, and so many are stopped. */
const ASKED_SHARE = 0.1;
const STOPPED_SHARE = 0.05;

/** Starts the monitoring of every transport, and plans two routes (interface, 5). */
export async function issueFirst(config: CommandsConfig, platform: Platform): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < config.transports; index += 1) {
    const transport = transportAt(config, index);
    ids.push(await platform.issue({ command: 'start_tracking', transport }));
  }
  const planned_routes = [routeAt(config, 0), routeAt(config, 1)];
  ids.push(await platform.issue({ command: 'check_planned_routes', planned_routes }));
  return ids;
}

/**
 * Later in the drive: asks for the events of some transports, which the provider answers by
 * deferred events, stops others, and cancels a route. `ids` are the first commands, each at its
 * index; a stop waits for its start, which it would take back otherwise. Ends early when aborted;
 * returns the ids of what it issued.
 */
export async function issueLater(
  config: CommandsConfig, platform: Platform, ids: readonly string[], leaving: AbortSignal,
): Promise<string[]> {
  const issued: string[] = [];
  await delay(config.laterMs, undefined, { signal: leaving }).catch(() => undefined);
  if (leaving.aborted) return issued;
  const now = Date.now();
  const travel = { init_date: dateOf(now - DAY_MS), end_date: dateOf(now) };
  for (const index of spread(config.transports, ASKED_SHARE)) {
    const transport = transportAt(config, index);
    const id = Buffer.from(`${ids[index] ?? ''}:${transport.id}`).toString('base64');
    issued.push(await platform.issue({
      command: 'process_telemetry_events', id, transport, travel,
    }));
  }
  for (const index of spread(config.transports, STOPPED_SHARE)) {
    await untilDone(config, platform, ids[index] ?? '', leaving);
    const transport = transportAt(config, index);
    issued.push(await platform.issue({ command: 'stop_tracking', transport }));
  }
  const planned_routes = [routeAt(config, 1)];
  issued.push(await platform.issue({ command: 'cancel_planned_routes', planned_routes }));
  return issued;
}

/**
 * Waits until a command has its end, whatever it is; the ledger says later whether it is right.
 * Throws what was seen last when the end does not come.
 */
export async function untilDone(
  config: CommandsConfig, platform: Platform, id: string, leaving: AbortSignal,
): Promise<void> {
  let seen = 'nothing was seen of it';
  await waitFor(async () => {
    if (leaving.aborted || id === '') return true;
    try {
      const command = await platform.find(id);
      seen = command === undefined ? 'it is not known' : `it is ${JSON.stringify(command)}`;
      return command !== undefined && command.state !== 'queued' && command.state !== 'sending';
    } catch (error) {
      seen = String(error);
      return false;
    }
  }, { what: `The end of command ${id}`, deadlineMs: config.doneMsMax }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message} At last ${seen}.`, { cause: error });
  });
}

/** So large a share of the indexes, evenly spread, at least one. */
function spread(count: number, fraction: number): readonly number[] {
  const chosen = Math.max(1, Math.round(count * fraction));
  return Array.from({ length: chosen }, (_, at) => Math.floor((at * count) / chosen));
}

function transportAt({ country }: CommandsConfig, index: number): CommandTransport {
  const id = FIRST_TRANSPORT_ID + index;
  return { id, license_plate: `RST-${id}`, country_id: country };
}

/** A made up route of two stops, tomorrow. */
function routeAt({ country }: CommandsConfig, index: number): PlannedRoute {
  const [start, end] = [Date.now() + DAY_MS, Date.now() + 2 * DAY_MS].map(dateOf);
  const at = { estimated_time_departure: start ?? '', estimated_time_arrival: end ?? '' };
  const address = {
    country_name: country, state_name: 'Sample', neighborhood_name: 'Sample',
    street_name: 'Sample street', street_number: '1', zip_code: '00000',
    geolocation: { latitude: 30.267153, longitude: -97.743061 },
  };
  return {
    route_id: FIRST_ROUTE_ID + index,
    rostering_id: FIRST_ROUTE_ID,
    estimated_start_date: start ?? '',
    estimated_end_date: end ?? '',
    estimated_start_monitoring_date: start ?? '',
    estimated_end_monitoring_date: end ?? '',
    country_id: country,
    carrier: { id: 1, name: 'Sample' },
    vehicles: [{ is_tractor: false, type: 'van', license_plate: 'RST-1' }],
    stops: [1, 2].map((order) => ({ order, facility: { id: `RST${order}`, address }, ...at })),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
