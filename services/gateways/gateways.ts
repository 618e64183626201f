/** One gateway: a room of operations that can also run alone. */
export interface Gateway<Id extends string = string> {
  readonly id: Id;
  /** The program that it belongs to; each program is one Deployment. */
  readonly program: GatewayProgram;
  readonly part: Id;
  /** True for one that `all` leaves out: it reads the log, so it has a user of its own there. */
  readonly isApart?: true;
}

/** The programs of the gateways; each is one Deployment. */
export type GatewayProgram = 'ingest' | 'control' | 'notifications' | 'live';

const gateway = <const Id extends string>(program: GatewayProgram, id: Id): Gateway<Id> =>
  ({ id, program, part: id });

/**
 * Every gateway. The router asks them in this order, so the one that takes most of the calls is the
 * first. Locations come in for themselves; notifications carry images of up to 6 MiB.
 */
export const GATEWAYS = [
  gateway('ingest', 'georeceiver'),
  gateway('control', 'oauth'),
  gateway('control', 'devices'),
  gateway('control', 'query'),
  gateway('control', 'authorization'),
  gateway('notifications', 'notifications'),
  gateway('control', 'platform'),
  gateway('control', 'docs'),
  gateway('control', 'console'),
  { ...gateway('live', 'live'), isApart: true },
  { ...gateway('live', 'operator'), isApart: true },
] as const;

/** The name of one room. */
export type GatewayRoom = (typeof GATEWAYS)[number]['id'];

/** The programs of all rooms, each once. */
export const GATEWAY_PROGRAMS: readonly GatewayProgram[] = [
  ...new Set(GATEWAYS.map(({ program }) => program)),
];

/** The names of all rooms. */
export const GATEWAY_ROOMS: readonly GatewayRoom[] = GATEWAYS.map(({ id }) => id);

/** True for a room that `all` leaves out. */
export function isRoomApart(room: GatewayRoom): boolean {
  const table: readonly Gateway[] = GATEWAYS;
  return table.some(({ id, isApart }) => id === room && isApart === true);
}
