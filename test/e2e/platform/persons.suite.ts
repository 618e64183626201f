import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../services/cli/ports.ts';
import { aRequest, aUser } from '../../support/authorization-facts.ts';
import { aNotification } from '../../support/notifications.ts';
import { personAt } from '../../support/platform-operator.ts';
import { eventually, type TestEnv } from '../../support/platform.ts';

const canary = (what: string): string => `${what}-${randomBytes(12).toString('hex')}`;

/** Values that represent persons; no process may leave one behind in clear. */
export const PERSONS = {
  driver: canary('driver'), mail: canary('mail'), document: canary('document'),
  receiver: canary('receiver'), comment: canary('comment'), unknown: canary('unknown'),
  buyer: canary('buyer'), street: canary('street'), keyword: canary('keyword'),
  reason: canary('reason'), bad: canary('bad'),
} as const;

const PUSH = '/shipping/tracking/notifications';

/** Persons in notifications and authorizations: read back, nowhere in clear, erased permanently. */
export function personsSuite(at: () => TestEnv): void {
  describe('persons', () => {
    const number = `RST-${crypto.randomUUID()}`;
    const sent = {
      ...aNotification('0133', {
        comment: PERSONS.comment, extra: { deep: [PERSONS.unknown] },
        driver: { id: 'D7', name: PERSONS.driver, email: PERSONS.mail },
        proof_of_delivery: {
          receiver_document: { type: 'CPF', number: PERSONS.document },
          receiver_name: PERSONS.receiver, receiver_relationship: 'neighbour',
        },
      }),
      tracking_number: number,
    };
    let push = '';
    let pull = '';
    const feed = async (): Promise<readonly unknown[]> => {
      const path = `/shipping/tracking/shipments/${number}/notifications`;
      const { body } = await at().call(path, { method: 'GET', token: pull }, 1);
      return (body as { notifications?: readonly unknown[] }).notifications ?? [];
    };
    const person = (...args: readonly string[]): Promise<Report> => personAt(at(), ...args);

    it('come back in the feed as they were pushed', async () => {
      const client = await at().addClient(
        '--audience', 'logistic-feed,tracking-pull,authorizations',
        '--scope', 'tracking:push,tracking:read,authorizations',
      );
      push = await at().token(client, 'logistic-feed');
      pull = await at().token(client, 'tracking-pull');
      const authorize = await at().token(client, 'authorizations');
      const user = aUser({ full_name: PERSONS.buyer });
      user.address.address_line = PERSONS.street;
      const request = aRequest({ keyword: PERSONS.keyword });
      Object.assign(request.shipment_information ?? {}, { sender: user, receiver: user });
      const path = `/shipments/${String(request.id)}`;
      const call = (verb: string, body: unknown) =>
        at().call(`${path}/${verb}`, { token: authorize, body });
      expect((await call('authorization', request)).status).toBe(200);
      const { id, transport_order_id } = request;
      expect((await call('cancellation', { id, transport_order_id, reason: PERSONS.reason })).status)
        .toBe(200);
      expect((await at().call(PUSH, { token: push, body: sent })).status).toBe(202);
      await eventually('the notification in the feed', async () => (await feed()).length === 1);
      expect(await feed()).toEqual([sent]);
    });

    it('are in no body of an error', async () => {
      const wrong = { ...sent, code: { text: PERSONS.bad }, payload: { driver: PERSONS.bad } };
      const reply = await at().call(PUSH, { token: push, body: wrong });
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain(PERSONS.bad);
    });

    it('are in no table of ClickHouse', async () => {
      const { env } = at();
      const ask = async (sql: string) => (await fetch(env.CLICKHOUSE_URL, {
        method: 'POST', body: sql,
        headers: {
          'x-clickhouse-user': env.CLICKHOUSE_USER, 'x-clickhouse-key': env.CLICKHOUSE_PASSWORD,
        },
      })).text();
      const names = (await ask(`SELECT database || '.' || name FROM system.tables
        WHERE engine LIKE '%MergeTree' AND name IN ('notification_bodies',
          'shipment_notifications', 'shipment_authorizations', 'dead_letters')`)).trim().split('\n');
      expect(names.length).toBeGreaterThanOrEqual(4);
      const texts = await Promise.all(names.map((name) => ask(`SELECT * FROM ${name} FORMAT JSON`)));
      expect(texts.join('')).toContain(number);
      for (const text of texts) {
        for (const value of Object.values(PERSONS)) expect(text).not.toContain(value);
      }
    });

    it('are shown to a client that may ask for them, and are gone once they are erased', async () => {
      const shown = JSON.stringify((await person('show', '--shipment', number)).value);
      expect(shown).toContain(PERSONS.driver);
      expect((await person('erase', '--shipment', number)).exitCode).toBe(0);
      await eventually('a feed without persons', async () => (
        !JSON.stringify(await feed()).includes(PERSONS.driver)
      ));
      const { tracking_number, code, carrier_code, payload } = sent;
      const left = {
        tracking_number, code, carrier_code,
        payload: {
          date: payload['date'], proof_of_delivery: { receiver_relationship: 'neighbour' },
        },
      };
      expect(await feed()).toEqual([left]);
      // What still comes about them loses its persons on arrival.
      expect((await at().call(PUSH, { token: push, body: sent })).status).toBe(202);
      await eventually('the second one in the feed', async () => (await feed()).length === 2);
      expect(await feed()).toEqual([left, left]);
      expect(JSON.stringify((await person('show', '--shipment', number)).value))
        .not.toContain(PERSONS.driver);
    });
  });
}
