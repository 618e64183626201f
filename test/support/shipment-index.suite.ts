import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  NumberCursor, ShipmentIndex, ShipmentReference,
} from '../../services/kernel/shipment-index.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

const FIRST: ShipmentReference = {
  tracking_number: 'N1', transport_order_id: 'to-1', shipment_id: '41',
  platform_client_id: '100000000000042', epoch: 1, at_ms: 1,
};

/** What every implementation of the port ShipmentIndex must do. */
export function shipmentIndexSuite(open: OpenStates): void {
  let states: OpenedStates;
  let index: ShipmentIndex;
  beforeEach(async () => {
    states = await open();
    await states.wipe();
    await states.readiness.claimRebuild('me', 5_000);
    await states.readiness.markReady('me');
    index = states.shipmentIndex;
  });
  afterEach(() => states.close());

  it('[PLT-06] finds the numbers of a shipment and of a transport order, by pages', async () => {
    const [second, other]: ShipmentReference[] = [
      { ...FIRST, tracking_number: 'N2', epoch: 2, at_ms: 2 },
      { ...FIRST, tracking_number: 'N3', transport_order_id: 'to-2', at_ms: 3 },
    ];
    await index.add([other!, FIRST]);
    await index.add([second!, FIRST]);
    const pages = async (...[by, id]: Parameters<ShipmentIndex['find']>): Promise<string[]> => {
      const found: string[] = [];
      let after: NumberCursor | undefined;
      do {
        const page = await index.find(by, id, after, 1);
        expect(page.trackingNumbers).toHaveLength(1);
        found.push(...page.trackingNumbers);
        after = page.next;
      } while (after !== undefined);
      return found;
    };
    expect(await pages('shipment_id', '41', undefined, 1)).toEqual(['N3', 'N2', 'N1']);
    expect(await pages('transport_order_id', 'to-1', undefined, 1)).toEqual(['N2', 'N1']);
    expect(await index.find('transport_order_id', '41', undefined, 9))
      .toEqual({ trackingNumbers: [], next: undefined });
  });

  it('[PLT-06] knows what authorized a number, once, however often it is applied', async () => {
    const asked: ShipmentReference = {
      tracking_number: 'N1', transport_order_id: 'to-9', shipment_id: '49', call_id: 'c', at_ms: 5,
    };
    await index.add([FIRST, FIRST]);
    await index.add([asked, FIRST]);
    expect(await index.ofNumber('N1')).toEqual([asked, FIRST]);
    expect(await index.ofNumber('N2')).toEqual([]);
  });

  it('is filled without the ready mark, and read only with it', async () => {
    await states.wipe();
    await index.add([FIRST]);
    const notReady = { code: 'state_not_ready' };
    await expect(index.ofNumber('N1')).rejects.toMatchObject(notReady);
    await expect(index.find('shipment_id', '41', undefined, 1)).rejects.toMatchObject(notReady);
  });
}
