import { SHARDS } from '../../kernel/limits.ts';
import type { AccessStates } from '../../kernel/access.ts';
import type { DeviceDirectory } from '../../kernel/devices.ts';
import type { FleetCursor, GeoBox, LastFix, LastFixes } from '../../kernel/fixes.ts';
import { readCursor, readParts, writeCursor, writeParts } from './read-page.ts';

/** What reading a fleet of all clients needs from outside. */
export interface WholeFleetPorts {
  readonly directory: Pick<DeviceDirectory, 'clientsOf'>;
  readonly access: Pick<AccessStates, 'findClient'>;
  readonly lastFixes: Pick<LastFixes, 'findWithin'>;
}

/** Which last fixes are wanted. */
export interface FleetQuestion {
  readonly box: GeoBox;
  /** Only what came by this provider. */
  readonly provider: string | undefined;
  readonly limit: number;
}

/** Where a page ended: in the fleet of a client of a shard, or behind it. */
export interface WholeFleetCursor {
  readonly shard: number;
  /** Undefined before the first client of the shard. */
  readonly clientId: string | undefined;
  /** Where in the fleet of that client; undefined behind all of it. */
  readonly within: FleetCursor | undefined;
}

/** One page of it; it may be short, or empty, and yet not be the last. */
export interface WholeFleetPage {
  readonly fixes: readonly LastFix[];
  readonly next: WholeFleetCursor | undefined;
}

/** Most fleets of one page; each costs a call or two of the state store. */
const FLEETS_MAX = 128;

/** Reads a page of the fleets of all clients, shard by shard and client by client. */
export async function readWholeFleet(
  ports: WholeFleetPorts, question: FleetQuestion, after: WholeFleetCursor | undefined,
): Promise<WholeFleetPage> {
  const fixes: LastFix[] = [];
  let fleets = 0;
  for (let shard = after?.shard ?? 0; shard < SHARDS; shard += 1) {
    let from = after?.shard === shard ? after : undefined;
    for (;;) {
      const clientId = await nextClient(ports, shard, from);
      if (clientId === undefined) break;
      const read = await readOne(ports, question, clientId, {
        within: from?.within, max: question.limit - fixes.length,
      });
      fixes.push(...read.fixes);
      fleets += 1;
      from = { shard, clientId, within: read.next };
      if (read.next !== undefined || fixes.length >= question.limit || fleets === FLEETS_MAX) {
        return { fixes, next: from };
      }
    }
  }
  return { fixes, next: undefined };
}

/** The client whose fleet comes next: that of the cursor while it has more. */
async function nextClient(
  { directory }: WholeFleetPorts, shard: number, from: WholeFleetCursor | undefined,
): Promise<string | undefined> {
  if (from?.within !== undefined) return from.clientId;
  return (await directory.clientsOf(shard, from?.clientId, 1))[0];
}

async function readOne(
  { access, lastFixes }: WholeFleetPorts, { box, provider }: FleetQuestion, clientId: string,
  part: { readonly within: FleetCursor | undefined; readonly max: number },
): Promise<{ readonly fixes: readonly LastFix[]; readonly next: FleetCursor | undefined }> {
  if (provider !== undefined) {
    const client = await access.findClient(clientId);
    if (client?.providers.includes(provider) !== true) return { fixes: [], next: undefined };
  }
  const page = await lastFixes.findWithin(clientId, box, part.within, part.max);
  return {
    fixes: page.fixes.filter((fix) => provider === undefined || fix.provider === provider),
    next: page.next,
  };
}

/** A cursor as opaque text. */
export function writeFleetCursor({ shard, clientId, within }: WholeFleetCursor): string {
  return writeParts([shard, clientId ?? '', within === undefined ? '' : writeCursor(within)]);
}

/** Reads what {@link writeFleetCursor} wrote; undefined for anything else. */
export function readFleetCursor(text: string): WholeFleetCursor | undefined {
  const [shard = '', clientId = '', within = ''] = readParts(text, 3) ?? [];
  if (!/^\d{1,2}$/.test(shard) || Number(shard) >= SHARDS || clientId === '') return undefined;
  const place = within === '' ? undefined : readCursor(within);
  if (within !== '' && place === undefined) return undefined;
  return { shard: Number(shard), clientId, within: place };
}
