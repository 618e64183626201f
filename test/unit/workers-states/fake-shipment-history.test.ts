import { describe, expect, it } from 'vitest';
import { fakeShipmentHistory } from '../../support/fake-shipment-history.ts';
import { ofCarrier, shipmentHistorySuite } from '../../support/shipment-history.suite.ts';

describe('The history of shipments in memory', () => {
  shipmentHistorySuite(async () => {
    const history = fakeShipmentHistory();
    return {
      history,
      async record(trackingNumber, entries) {
        history.addNotifications(trackingNumber, ...entries);
      },
      async recordJourneys(entries) {
        history.addJourney(...entries);
      },
      close: async () => undefined,
    };
  });

  it('fails as a test asks, and works again', async () => {
    const history = fakeShipmentHistory();
    history.failWith('sink_unavailable');
    await expect(history.journey(ofCarrier('N'), undefined, 1))
      .rejects.toMatchObject({ code: 'sink_unavailable' });
    history.failWith();
    expect((await history.notifications(ofCarrier('N'), undefined, 1)).entries).toEqual([]);
  });
});
