import { beforeEach, describe, expect, it } from 'vitest';
import { aRequest } from '../../support/authorization-facts.ts';
import { openCarrier, type AuthorizationAnswer, type CarrierInTest } from './authorizations.ts';

let carrier: CarrierInTest;
beforeEach(() => { carrier = openCarrier(); });
const numberIn = ({ body }: Pick<AuthorizationAnswer, 'body'>): string => (
  String(body['tracking_number'])
);

describe('a repeat of an authorization with other content', () => {
  it('[AUTH-55] records a repeat with other content once, says what differs, and changes nothing', async () => {
    const request = aRequest();
    const first = await carrier.authorize(request);
    const moved = { ...request, keyword: 'x', direction: 'return' };
    const [second, third] = [await carrier.authorize(moved), await carrier.authorize(moved)];
    expect(second.body).toEqual({ ...first.body, status_message: second.body['status_message'] });
    expect(second.body['status_message']).toContain('/direction, /keyword: that is recorded');
    expect(third.body).toEqual(second.body);
    expect(carrier.log.of('shipment.authorizations.v1').map(({ value }) => value)).toMatchObject([
      { type: 'ShipmentAuthorized' },
      {
        type: 'AuthorizationChangeAsked', changed: ['/direction', '/keyword'], epoch: 1,
        tracking_number: numberIn(first), personal: { key: expect.any(String) },
      },
    ]);
    expect(JSON.stringify((await carrier.authorize(request)).body))
      .toBe(JSON.stringify(first.body));
  });

  it('[AUTH-55] keeps the new content sealed, and knows another one', async () => {
    const request = aRequest();
    const number = numberIn(await carrier.authorize(request));
    for (const keyword of ['x', 'y', 'x']) await carrier.authorize({ ...request, keyword });
    const changes = carrier.log.of('shipment.authorizations.v1').slice(1).map(({ value }) => value);
    expect(JSON.stringify(changes)).not.toContain('"x"');
    expect(changes.map((each) => carrier.opened(`shipment:${number}`, each)))
      .toMatchObject([{ request: { keyword: 'x' } }, { request: { keyword: 'y' } }]);
  });

  it('[AUTH-55] records one fact of many calls at the same moment', async () => {
    const request = aRequest();
    await carrier.authorize(request);
    const changed = { ...request, keyword: 'other' };
    carrier.log.hold();
    const calls = Array.from({ length: 10 }, () => carrier.authorize(changed));
    while (carrier.log.held() === 0) await new Promise(setImmediate);
    carrier.log.release();
    const answers = await Promise.all(calls);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(carrier.log.of('shipment.authorizations.v1')).toHaveLength(2);
  });

  it('[AUTH-55] answers no repeat whose change the log did not take, and records it the next time',
    async () => {
      const request = aRequest();
      await carrier.authorize(request);
      carrier.log.failWith('log_unavailable', 1);
      const changed = { ...request, keyword: 'other' };
      await expect(carrier.authorize(changed)).rejects.toMatchObject({ code: 'log_unavailable' });
      expect((await carrier.authorize(changed)).status).toBe(200);
      expect(carrier.log.of('shipment.authorizations.v1')).toHaveLength(2);
    });
});
