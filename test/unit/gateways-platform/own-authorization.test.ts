import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShipmentAuthorizations } from '../../../schemas/generated/types.ts';
import { GOOD_FACTS } from '../../support/edge.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const ID = 'show-shipment-authorization';
const [PLATFORM, CARRIER, FORMER, OTHER] = [
  'platform-1', 'carrier-1', 'platform-0', 'client-9',
] as const;

describe('what authorized a shipment, as its two sides read it', () => {
  let at: WholeEdge;
  beforeEach(async () => {
    at = await openWholeEdge();
    const number = { tracking_number: 'N1', shipment_id: '41', epoch: 1 };
    await at.shipments.authorize('N1', { platform_client_id: FORMER, at_ms: 1 });
    await at.shipments.authorize('N1', {
      platform_client_id: PLATFORM, carrier_client_id: CARRIER, at_ms: 2,
    });
    await at.shipments.shipmentIndex.add([
      { ...number, platform_client_id: FORMER, transport_order_id: 'to-0', at_ms: 1 },
      { ...number, platform_client_id: PLATFORM, transport_order_id: 'to-1', at_ms: 2 },
    ]);
  });
  afterEach(() => at.close());

  function readAs(clientId: string, tracking_number = 'N1'): Promise<Response> {
    at.admit(ID, {
      caller: {
        clientId, userId: '7', audience: 'tracking-pull',
        scopes: ['query:read'], providers: [],
      },
    });
    return at.call(ID, { params: { tracking_number } });
  }

  it.each([PLATFORM, CARRIER])('[PULL-12] shows it to %s, in any spelling', async (clientId) => {
    const response = await readAs(clientId, ' n1');
    expect(response.status).toBe(200);
    expect(await response.json() as ShipmentAuthorizations).toEqual({
      tracking_number: 'n1', platform_client_id: PLATFORM, carrier_client_id: CARRIER,
      authorizations: [{
        platform_client_id: PLATFORM, transport_order_id: 'to-1', shipment_id: '41',
        authorized_at: new Date(2).toISOString(), status: 'AUTHORIZED',
      }],
    });
  });

  it('[PULL-12] answers others as if there were no such shipment', async () => {
    const answers: string[] = [];
    const asked = [[FORMER, 'N1'], [OTHER, 'N1'], ['', 'N1'], [PLATFORM, 'N2']] as const;
    for (const [clientId, number] of asked) {
      const response = await readAs(clientId, number);
      answers.push(`${response.status} ${(await response.json() as { code: string }).code}`);
    }
    expect(answers).toEqual(asked.map(() => '404 shipment_not_found'));
  });

  it('[PULL-12] wants the scope and the audience of the feed', async () => {
    at.admit(ID, { ...GOOD_FACTS, device: undefined });
    expect((await at.call(ID)).status).toBe(403);
  });
});
