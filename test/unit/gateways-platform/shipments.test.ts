import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  JourneyResource, PlatformShipment, PlatformShipments,
} from '../../../schemas/generated/types.ts';
import { findShipment } from '../../../services/gateways/common/shipment-resource.ts';
import {
  createAuthorizationApplier,
} from '../../../services/workers/projector/authorizations/apply-authorization-records.ts';
import {
  aCancellation, anAsk, anAuthorization, aTry, PLATFORM_CLIENT,
} from '../../support/authorization-facts.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { aPlace } from '../../support/fake-platform-history.ts';
import { received, recordJourneys } from '../../support/journeys.ts';
import { memoryStates } from '../../support/memory-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const CARRIER = '100000000000077';

describe('a shipment as its facts make it', () => {
  const states = memoryStates();
  const apply = createAuthorizationApplier(states, readRecord);
  const applied = (topic: string, ...facts: readonly object[]) => apply(
    facts.map((fact, at) => aLogRecord(topic, at, fact)),
  );

  it('[PLT-06] has both sides and what authorized it, cancelled or not', async () => {
    const [first, second] = [1, 2].map((epoch) => (
      anAuthorization('to', epoch, { carrier_client_id: CARRIER })
    ));
    const topic = 'shipment.authorizations.v1';
    await applied(topic, first!, aCancellation('to'), second!);
    expect(await findShipment(states, 'RS-TO-1')).toEqual({
      tracking_number: 'RS-TO-1', platform_client_id: PLATFORM_CLIENT, carrier_client_id: CARRIER,
      authorizations: [{
        platform_client_id: PLATFORM_CLIENT, transport_order_id: 'to', shipment_id: '41',
        authorized_at: new Date(first!.at_ms).toISOString(), status: 'CANCELLED',
      }],
    });
    expect((await findShipment(states, 'RS-TO-2'))?.authorizations)
      .toMatchObject([{ status: 'AUTHORIZED' }]);
    expect(await findShipment(states, 'RS-TO-3')).toBeUndefined();
  });

  it('[PLT-06] is cancelled by its own cancellation, and by no other', async () => {
    const topic = 'shipment.authorizations.v1';
    const statusOf = async (): Promise<string | undefined> => (
      (await findShipment(states, 'RS-ONE-1'))?.authorizations[0]?.status
    );
    await applied(topic, anAuthorization('one'), anAuthorization('two'), aCancellation('two'));
    expect(await statusOf()).toBe('AUTHORIZED');
    await applied(topic, aCancellation('one'));
    expect(await statusOf()).toBe('CANCELLED');
  });

  it('[PLT-06] names the call by which a carrier gave the number', async () => {
    const asked = anAsk('call-1');
    await applied('shipment.authorization-calls.v1', asked,
      aTry(asked, 1, { outcome: 'authorized', tracking_number: ' given-1 ' }));
    expect((await findShipment(states, 'GIVEN-1'))?.authorizations).toMatchObject([{
      call_id: 'call-1', transport_order_id: asked.transport_order_id, status: 'AUTHORIZED',
    }]);
    expect(await states.shipmentIndex.find('shipment_id', asked.shipment_id, undefined, 9))
      .toMatchObject({ trackingNumbers: ['GIVEN-1'] });
  });
});

describe('what the platform reads of shipments', () => {
  let at: WholeEdge;
  beforeEach(async () => { at = await openWholeEdge(); });
  afterEach(() => at.close());

  type Params = Readonly<Record<string, string | number | null>>;

  async function ask(id: string, params: Params): Promise<Response> {
    at.admit(id);
    return at.call(id, { params });
  }

  const codeOf = async (response: Promise<Response>): Promise<unknown> => {
    const { status, code } = await (await response).json() as { status: number; code: string };
    return [status, code];
  };

  async function authorized(tracking_number: string, order = 'to-1', at_ms = 1): Promise<void> {
    await at.shipments.authorize(tracking_number, { carrier_client_id: CARRIER, at_ms });
    await at.shipments.shipmentIndex.add([{
      tracking_number, transport_order_id: order, shipment_id: '41', epoch: 1, at_ms,
    }]);
  }

  it('[PLT-06] finds a shipment by its number in any spelling, of any carrier', async () => {
    await authorized('N1');
    const shown = await (await ask('show-platform-shipment', { tracking_number: ' n1' })).json();
    expect(shown as PlatformShipment)
      .toMatchObject({ tracking_number: 'N1', carrier_client_id: CARRIER });
    expect(await codeOf(ask('show-platform-shipment', { tracking_number: 'N2' })))
      .toEqual([404, 'shipment_not_found']);
  });

  it('[PLT-06] lists by shipment, by transport order, or by both', async () => {
    await authorized('N1', 'to-1', 1);
    await authorized('N2', 'to-2', 2);
    const list = async (params: Params): Promise<string[]> => {
      const page = await (await ask('list-platform-shipments', params)).json() as PlatformShipments;
      const numbers = page.shipments.map(({ tracking_number }) => tracking_number);
      return page.next_cursor === undefined
        ? numbers : [...numbers, ...await list({ ...params, cursor: page.next_cursor })];
    };
    const whole = { shipment_id: '41', transport_order_id: null };
    expect(await list({ ...whole, limit: 1 })).toEqual(['N2', 'N1']);
    expect(await list({ shipment_id: null, transport_order_id: 'to-1' })).toEqual(['N1']);
    expect(await list({ shipment_id: '42', transport_order_id: 'to-1' })).toEqual([]);
    expect(await codeOf(ask('list-platform-shipments', { ...whole, shipment_id: null })))
      .toEqual([400, 'missing_parameter']);
    expect(await codeOf(ask('list-platform-shipments', { ...whole, cursor: 'eA' })))
      .toEqual([400, 'invalid_parameter']);
  });

  it('[PLT-07] shows the journey by pages, each with the cursor of the next', async () => {
    await authorized('N1');
    at.history.addJourney(...recordJourneys([
      received(1, 'EX-HUB', 1, { tracking_number: 'N1' }),
      received(2, 'EX-HUB', 2, { tracking_number: 'N1' }),
    ]).events);
    const pages: JourneyResource[] = [];
    let cursor: string | null = null;
    do {
      const params = { tracking_number: 'N1', limit: 1, cursor };
      const page = await (await ask('show-platform-journey', params)).json() as JourneyResource;
      pages.push(page);
      cursor = page.next_cursor;
    } while (pages.at(-1)?.has_more === true);
    expect(pages.map(({ entries }) => entries.length)).toEqual([1, 1]);
    expect(await codeOf(ask('show-platform-journey', { tracking_number: 'N1', cursor: 'eA' })))
      .toEqual([400, 'invalid_parameter']);
    at.history.failWith('sink_unavailable');
    const lost = await ask('show-platform-journey', { tracking_number: 'N1' });
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([500, expect.any(String)]);
  });

  it('[PLT-08] shows the last place, or that none is known, or that the tables are away', async () => {
    await authorized('N1');
    const asked = { tracking_number: 'N1' };
    expect(await codeOf(ask('show-platform-place', asked))).toEqual([404, 'position_not_found']);
    at.platformHistory.places.set('N1', aPlace());
    expect(await (await ask('show-platform-place', asked)).json()).toEqual({
      tracking_number: 'N1', country_id: 'BR', city: 'Campinas', code: '0114',
      carrier_code: 'NEAR', occurred_at: new Date(1_764_000_000_000).toISOString(),
      received_at: new Date(1_764_000_005_123).toISOString(),
    });
    at.platformHistory.lose();
    const lost = await ask('show-platform-place', asked);
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([500, expect.any(String)]);
  });
});
