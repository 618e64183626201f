import { verify, type Check } from '../check.ts';
import { status } from '../findings.ts';
import { flawed, refuses, type Flaw } from '../flaws.ts';
import type { Session } from '../session.ts';
import { authorizationAsk } from '../shipments.ts';

const SHIPMENT = '/shipment_information';
const RECEIVER = `${SHIPMENT}/receiver`;
const ADDRESS = `${RECEIVER}/address`;
const GEOLOCATION = `${ADDRESS}/geolocation`;
const PACKAGE = `${SHIPMENT}/package`;

/** Endpoint 1, authorize shipment: the fields of its body. */
export const authorizationFieldChecks: readonly Check[] = [
  {
    id: 'authorization-users', rows: ['AUTH-19', 'AUTH-20', 'AUTH-21'], role: 'carrier',
    title: 'A user without names, phone or address, or with a phone that is no number, gets 400',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      `${RECEIVER}/full_name`, `${RECEIVER}/first_name`, `${RECEIVER}/last_name`,
      `${RECEIVER}/phone`, `${RECEIVER}/phone/number`, `${RECEIVER}/address`,
      [`${RECEIVER}/phone/number`, '+5511999'],
      `${RECEIVER}/identification/type`, `${RECEIVER}/identification/number`,
    ])),
  },
  {
    id: 'authorization-addresses', rows: ['AUTH-22', 'AUTH-26', 'AUTH-27'], role: 'carrier',
    title: 'An address without its mandatory fields, or a malformed geolocation, gets 400',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      `${ADDRESS}/address_line`, `${ADDRESS}/city`, `${ADDRESS}/state`, `${ADDRESS}/country`,
      `${GEOLOCATION}/geolocation_type`, `${GEOLOCATION}/latitude`, `${GEOLOCATION}/longitude`,
      [`${GEOLOCATION}/geolocation_type`, 'EXACT'],
    ])),
  },
  {
    id: 'authorization-zip-codes', rows: ['AUTH-23', 'AUTH-24'], role: 'carrier',
    title: 'zip_code is mandatory in Argentina, Brazil, Mexico and Peru, and nowhere else',
    run: async (session) => {
      const without = (country: string) => {
        const ask = authorizationAsk(session);
        const json = flawed(ask.json, [`${ADDRESS}/country/id`, country]);
        return session.send({ ...ask, json: flawed(json, `${ADDRESS}/zip_code`) });
      };
      const found: (string | undefined)[] = [];
      for (const country of ['AR', 'BR', 'MX', 'PE']) {
        found.push(status(await without(country), 400));
      }
      for (const country of ['CO', 'UY', 'CL', 'EC']) {
        found.push(status(await without(country), 200));
      }
      return verify(...found);
    },
  },
  {
    id: 'authorization-packages', rows: ['AUTH-18', 'AUTH-29', 'AUTH-30', 'AUTH-31'],
    role: 'carrier', title: 'A package without items, dimensions or amount gets 400',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      PACKAGE, `${PACKAGE}/items`, `${PACKAGE}/dimensions`, `${PACKAGE}/amount`,
      `${PACKAGE}/items/0/item_id`, `${PACKAGE}/items/0/description`, `${PACKAGE}/items/0/quantity`,
      `${PACKAGE}/dimensions/height`, `${PACKAGE}/dimensions/width`,
      `${PACKAGE}/dimensions/length`, `${PACKAGE}/dimensions/weight`,
    ])),
  },
  {
    id: 'authorization-optional', rows: ['AUTH-14', 'AUTH-21', 'AUTH-25', 'AUTH-32', 'AUTH-33'],
    role: 'carrier', title: 'Each optional field may be missing',
    run: async (session) => verify(await accepts(session, [
      '/direction', '/keyword', '/carrier_information', '/requirements',
      `${RECEIVER}/identification`, `${ADDRESS}/street_name`, `${ADDRESS}/comment`, GEOLOCATION,
      `${GEOLOCATION}/source`, `${PACKAGE}/dimensions/volumetric_weight`,
      ['/carrier_information/agency', { id: 'AG-1' }],
      ['/requirements/special_treatments', ['has_battery', 'brand_new_code']],
      ['/keyword', 'a'.repeat(64)],
    ])),
  },
  {
    id: 'authorization-schedules', rows: ['AUTH-35'], role: 'carrier',
    title: 'A schedule that is no ISO 8601 date-time gets 400',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      ['/requirements/pickup/schedule/from', '2026-11-20'],
      ['/requirements/delivery/schedule/to', 'tomorrow'],
    ])),
  },
];

/** Each variant must be authorized, as a shipment of its own. */
async function accepts(session: Session, variants: readonly Flaw[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const variant of variants) {
    const ask = authorizationAsk(session);
    const reply = await session.send({ ...ask, json: flawed(ask.json, variant) });
    const wrong = status(reply, 200);
    if (wrong !== undefined) found.push(`${JSON.stringify(variant)}: ${wrong}`);
  }
  return found;
}
