import type { FleetPositions } from '../../../../schemas/generated/types.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { LastFixes } from '../../../kernel/fixes.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import {
  badCursor, badLimit, badParameter, missingParameter, readLimit,
} from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { devicePosition, type PositionView } from '../../common/position-resource.ts';
import { boxFault, readBox, readCursor, writeCursor } from '../../common/read-page.ts';

/** What listing a fleet needs from outside. */
export interface FleetPorts extends PositionView {
  readonly lastFixes: LastFixes;
}

/** `GET …/fleet/last_positions`: the caller's devices in a box that are not stopped, by pages. */
export function listFleetFixes(ports: FleetPorts): Operation {
  return defineOperation('list-fleet-fixes', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: FleetPorts, { caller, query }: CallOf<'list-fleet-fixes'>): Promise<Answer> {
  const { bbox, cursor } = query;
  if (bbox === undefined) {
    const message = 'The parameter bbox is mandatory: minLon,minLat,maxLon,maxLat';
    return missingParameter('bbox', message, query);
  }
  const box = readBox(bbox);
  if (box === undefined) {
    return badParameter('bbox', boxFault(bbox));
  }
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const page = await ports.lastFixes.findWithin(caller.clientId, box, after, limit);
  const body: FleetPositions = {
    positions: page.fixes.map((fix) => devicePosition(fix, ports)),
    ...(page.next === undefined ? {} : { next_cursor: writeCursor(page.next) }),
    has_more: page.next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}
