import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import type { ShipmentAuthorized } from '../../../services/kernel/authorizations.ts';
import { shipmentSubject } from '../../../services/kernel/personal.ts';
import { aRequest } from '../../support/authorization-facts.ts';
import { openCarrier, without, type CarrierInTest } from './authorizations.ts';

const TOPIC = 'shipment.authorizations.v1';

type Fact = ShipmentAuthorized & { readonly request: AuthorizationRequest };

let carrier: CarrierInTest;
beforeEach(() => { carrier = openCarrier(); });

const facts = () => carrier.log.of(TOPIC).map(({ value }) => {
  const fact = value as ShipmentAuthorized;
  return carrier.opened(shipmentSubject(fact.tracking_number), fact) as Fact;
});
const numberIn = (answer: { body: Readonly<Record<string, unknown>> }) =>
  String(answer.body['tracking_number']);
const cancellationOf = ({ id, transport_order_id }: ReturnType<typeof aRequest>) =>
  ({ id, transport_order_id, reason: 'changed' });

describe('cancelling', () => {
  it('[AUTH-47] [AUTH-48] answers 200 CANCELLED, again and again, and appends once', async () => {
    const request = aRequest();
    await carrier.authorize(request);
    for (const body of [cancellationOf(request), { ...cancellationOf(request), id: '41234567890' }]) {
      expect(await carrier.cancel(body)).toMatchObject({
        status: 200, body: { id: '41234567890', status: 'CANCELLED' },
      });
    }
    expect(facts().map(({ type }) => type)).toEqual(['ShipmentAuthorized', 'ShipmentCancelled']);
  });

  it('[AUTH-50] [AUTH-06] opens a new epoch with a number of its own that repeats keep', async () => {
    const request = aRequest();
    const first = numberIn(await carrier.authorize(request));
    await carrier.cancel(cancellationOf(request));
    const second = numberIn(await carrier.authorize(request));
    expect(second).not.toBe(first);
    expect(numberIn(await carrier.authorize(request))).toBe(second);
    await carrier.cancel(cancellationOf(request));
    expect([first, second]).not.toContain(numberIn(await carrier.authorize(request)));
  });

  it('[AUTH-49] [AUTH-51] answers 400 for what is missing, unequal, unknown or foreign', async () => {
    const request = aRequest();
    await carrier.authorize(request);
    const body = cancellationOf(request);
    const failed = { status: 400, body: { status: 'FAILED' } };
    expect(await carrier.cancel(without(body, 'id'))).toMatchObject(failed);
    expect(await carrier.cancel(without(body, 'transport_order_id'))).toMatchObject(failed);
    expect(await carrier.cancel(body, { path: '7' })).toMatchObject(failed);
    expect(await carrier.cancel({ ...body, transport_order_id: 'other' })).toMatchObject(failed);
    expect(await carrier.cancel({ ...body, id: 7 })).toMatchObject(failed);
    expect(await carrier.cancel(body, { clientId: '100000000000002' })).toMatchObject(failed);
    expect(facts()).toHaveLength(1);
  });

  it('denies at once: after a failed append the old number is never given again', async () => {
    const request = aRequest();
    const first = numberIn(await carrier.authorize(request));
    carrier.log.failWith('log_unavailable', 1);
    await expect(carrier.cancel(cancellationOf(request))).rejects.toMatchObject({
      code: 'log_unavailable',
    });
    expect(numberIn(await carrier.authorize(request))).not.toBe(first);
    const types = facts().map(({ type, epoch }) => `${type} ${epoch}`);
    expect(types).toEqual(
      ['ShipmentAuthorized 1', 'ShipmentCancelled 1', 'ShipmentAuthorized 2'],
    );
  });

  it('brings a cancellation in doubt into the log when it is sent again', async () => {
    const request = aRequest();
    await carrier.authorize(request);
    carrier.log.failWith('log_unavailable', 1);
    await expect(carrier.cancel(cancellationOf(request))).rejects.toMatchObject({
      code: 'log_unavailable',
    });
    expect((await carrier.cancel({ ...cancellationOf(request), reason: 'other' })).status).toBe(200);
    expect(facts().at(-1)).toMatchObject({ type: 'ShipmentCancelled', reason: 'changed' });
  });

  it('waits for an authorization in progress instead of missing it', async () => {
    const request = aRequest();
    carrier.log.hold();
    const authorizing = carrier.authorize(request);
    await expect.poll(() => carrier.log.held()).toBe(1);
    const cancelling = carrier.cancel(cancellationOf(request));
    carrier.log.release();
    expect((await authorizing).status).toBe(200);
    expect((await cancelling).status).toBe(200);
  });
});
