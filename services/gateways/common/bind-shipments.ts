import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationRecord } from '../../../schemas/generated/types.ts';
import { partiesOf } from '../../domain/authorization/parties.ts';
import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import type { OutgoingRecord } from '../../kernel/record-log.ts';
import type { ShipmentIndex } from '../../kernel/shipment-index.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';

/** Where the sides of a shipment are kept. */
export interface BindingTargets {
  readonly shipments: Pick<ShipmentStates, 'authorize'>;
  readonly shipmentIndex: Pick<ShipmentIndex, 'add'>;
}

/** Binds shipments to who authorized them, in a sandbox, where no worker does. */
export async function bindShipments(
  { shipments, shipmentIndex }: BindingTargets, records: readonly OutgoingRecord[],
): Promise<void> {
  for (const { topic, value } of records) {
    if (topic !== TOPICS.authorizations.name) continue;
    const fact = JSON.parse(Buffer.from(value).toString('utf8')) as AuthorizationRecord;
    if (fact.type !== 'ShipmentAuthorized') continue;
    const { tracking_number, transport_order_id, shipment_id, epoch, at_ms } = fact;
    const number = canonicalNumber(tracking_number);
    const parties = partiesOf(fact);
    await shipments.authorize(number, parties);
    await shipmentIndex.add([{
      tracking_number: number, transport_order_id, shipment_id, epoch, at_ms,
      platform_client_id: parties.platform_client_id,
    }]);
  }
}
