import type { AuthorizationTried } from '../../kernel/authorization-calls.ts';
import type { ShipmentAuthorized } from '../../kernel/authorizations.ts';
import type { ShipmentParties } from '../../kernel/shipments.ts';

/**
 * The sides of a shipment as its authorization names them, whether it was given here or by a
 * carrier that was asked (decisions.md, Both parties of a shipment).
 */
export function partiesOf(
  fact: Pick<ShipmentAuthorized, 'client_id' | 'carrier_client_id' | 'at_ms'>
    | Pick<AuthorizationTried, 'platform_client_id' | 'carrier_client_id' | 'at_ms'>,
): ShipmentParties {
  const { carrier_client_id, at_ms } = fact;
  const platform_client_id = 'client_id' in fact ? fact.client_id : fact.platform_client_id;
  return { platform_client_id, carrier_client_id, at_ms };
}
