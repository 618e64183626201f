import type { PlatformFleetPositions } from '../../../../schemas/generated/types.ts';
import { EARTH_BOX } from '../../../kernel/fixes.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import {
  badCursor, badFilter, badLimit, badParameter, missingParameter, readLimit,
} from '../../common/page.ts';
import { platformPosition, type PositionView } from '../../common/position-resource.ts';
import { problemErrors } from '../../common/problem.ts';
import { boxFault, readBox } from '../../common/read-page.ts';
import {
  readFleetCursor, readWholeFleet, writeFleetCursor, type WholeFleetPorts,
} from '../../common/read-fleet.ts';

/** What listing it needs from outside. */
export type ListPlatformFleetPorts = WholeFleetPorts & PositionView;

/** `GET /platform/fleet/last_positions`: devices of all clients in a box, or of a provider. */
export function listPlatformFleet(ports: ListPlatformFleetPorts): Operation {
  return defineOperation('list-platform-fleet', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: ListPlatformFleetPorts, { query }: CallOf<'list-platform-fleet'>,
): Promise<Answer> {
  const { bbox, provider, cursor } = query;
  const refusal = badFilter(query, ['provider']);
  if (refusal !== undefined) return refusal;
  if (bbox === undefined && provider === undefined) {
    const message = 'Name a box (bbox=minLon,minLat,maxLon,maxLat), a provider, or both';
    return missingParameter('bbox', message, query);
  }
  const box = bbox === undefined ? EARTH_BOX : readBox(bbox);
  if (box === undefined) {
    return badParameter('bbox', boxFault(bbox ?? ''));
  }
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const after = cursor === undefined ? undefined : readFleetCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const page = await readWholeFleet(ports, { box, provider, limit }, after);
  const body: PlatformFleetPositions = {
    positions: page.fixes.map((fix) => platformPosition(fix, ports)),
    ...(page.next === undefined ? {} : { next_cursor: writeFleetCursor(page.next) }),
    has_more: page.next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}
