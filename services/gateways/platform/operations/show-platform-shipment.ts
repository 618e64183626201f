import { canonicalNumber } from '../../../domain/journey/canonical-number.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { noSuchShipment } from '../../common/refusals.ts';
import { findShipment, type PlatformShipmentPorts } from '../../common/shipment-resource.ts';

/** `GET /platform/shipments/{tracking_number}`: a shipment of any carrier as it stands. */
export function showPlatformShipment(ports: PlatformShipmentPorts): Operation {
  return defineOperation('show-platform-shipment', {
    errors: problemErrors,
    async handle({ params }) {
      const body = await findShipment(ports, canonicalNumber(params.tracking_number));
      return body === undefined ? noSuchShipment() : { kind: 'answer', status: 200, body };
    },
  });
}
