import type { PlatformPlace } from '../../../../schemas/generated/types.ts';
import { canonicalNumber } from '../../../domain/journey/canonical-number.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { PlatformHistory } from '../../../kernel/platform-history.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { noPosition, noSuchShipment } from '../../common/refusals.ts';
import { findShipment, type PlatformShipmentPorts } from '../../common/shipment-resource.ts';

/** What showing a place needs from outside. */
export interface PlatformPlacePorts extends PlatformShipmentPorts {
  readonly platformHistory: Pick<PlatformHistory, 'lastPlace'>;
}

/** `GET /platform/shipments/{tracking_number}/last_place`: where it was notified to be last. */
export function showShipmentLocation(ports: PlatformPlacePorts): Operation {
  return defineOperation('show-platform-place', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: PlatformPlacePorts, { params }: CallOf<'show-platform-place'>,
): Promise<Answer> {
  const trackingNumber = canonicalNumber(params.tracking_number);
  if (await findShipment(ports, trackingNumber) === undefined) return noSuchShipment();
  const place = await ports.platformHistory.lastPlace(trackingNumber);
  if (place === undefined) return noPosition();
  const { occurred_at_ms, received_at_ms, ...named } = place;
  const body: PlatformPlace = {
    tracking_number: trackingNumber,
    ...named,
    occurred_at: new Date(occurred_at_ms).toISOString(),
    received_at: new Date(received_at_ms).toISOString(),
  };
  return { kind: 'answer', status: 200, body };
}
