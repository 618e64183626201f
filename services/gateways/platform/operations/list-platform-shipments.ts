import type { PlatformShipments } from '../../../../schemas/generated/types.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { NumberCursor } from '../../../kernel/shipment-index.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { badCursor, badFilter, badLimit, missingParameter, readLimit } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readParts, writeParts } from '../../common/read-page.ts';
import { findShipment, type PlatformShipmentPorts } from '../../common/shipment-resource.ts';

/** `GET /platform/shipments`: those that were authorized under a shipment or transport order. */
export function listPlatformShipments(ports: PlatformShipmentPorts): Operation {
  return defineOperation('list-platform-shipments', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: PlatformShipmentPorts, { query }: CallOf<'list-platform-shipments'>,
): Promise<Answer> {
  const { shipment_id, transport_order_id, cursor } = query;
  const refusal = badFilter(query, ['shipment_id', 'transport_order_id']);
  if (refusal !== undefined) return refusal;
  const [by, id] = transport_order_id === undefined
    ? ['shipment_id', shipment_id] as const : ['transport_order_id', transport_order_id] as const;
  if (id === undefined) {
    return missingParameter('shipment_id', 'Name shipment_id, transport_order_id, or both', query);
  }
  const limit = readLimit(query['limit']);
  if (limit === undefined) return badLimit();
  const after = cursor === undefined ? undefined : readNumberCursor(cursor);
  if (cursor !== undefined && after === undefined) return badCursor();
  const page = await ports.shipmentIndex.find(by, id, after, limit);
  const found = await Promise.all(page.trackingNumbers.map((each) => findShipment(ports, each)));
  const { next } = page;
  const body: PlatformShipments = {
    shipments: found.filter((each) => each !== undefined).filter(({ authorizations }) => (
      shipment_id === undefined || authorizations.some((each) => each.shipment_id === shipment_id)
    )),
    ...(next === undefined ? {} : { next_cursor: writeParts([next.at_ms, next.tracking_number]) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

function readNumberCursor(text: string): NumberCursor | undefined {
  const [at = '', tracking_number = ''] = readParts(text, 2) ?? [];
  return /^\d{1,15}$/.test(at) && tracking_number !== ''
    ? { at_ms: Number(at), tracking_number } : undefined;
}
