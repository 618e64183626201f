import { ours, verify, type Check } from '../check.ts';
import { status } from '../findings.ts';
import { flawed, refuses, type Flaw } from '../flaws.ts';
import type { Session } from '../session.ts';
import { authorizationAsk } from '../shipments.ts';
import { REMARKS } from '../remarks.ts';

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
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      return verify(
        await refuses(session, ask, [
          `${RECEIVER}/full_name`, `${RECEIVER}/first_name`, `${RECEIVER}/last_name`,
          `${RECEIVER}/phone`, `${RECEIVER}/phone/number`, `${RECEIVER}/address`,
          [`${RECEIVER}/phone/number`, '+5511999'],
        ]),
        ours(
          'Take identification inside the user, with type and number; its parent is not shown.',
          await refuses(session, ask, [
            `${RECEIVER}/identification/type`, `${RECEIVER}/identification/number`,
          ]),
        ),
      );
    },
  },
  {
    id: 'authorization-addresses', rows: ['AUTH-22', 'AUTH-26', 'AUTH-27'], role: 'carrier',
    title: 'An address without its mandatory fields, or a malformed geolocation, gets 400',
    level: 'must',
    run: async (session) => verify(await refuses(session, authorizationAsk(session), [
      `${ADDRESS}/address_line`, `${ADDRESS}/city`, `${ADDRESS}/state`, `${ADDRESS}/country`,
      `${GEOLOCATION}/geolocation_type`, `${GEOLOCATION}/latitude`, `${GEOLOCATION}/longitude`,
      [`${GEOLOCATION}/geolocation_type`, 'EXACT'],
    ])),
  },
  {
    id: 'authorization-zip-codes', rows: ['AUTH-23', 'AUTH-24'], role: 'carrier',
    title: 'zip_code is mandatory in Argentina, Brazil, Mexico and Peru, and nowhere else',
    level: 'must',
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
    level: 'must',
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
    level: 'must',
    run: async (session) => verify(
      await accepts(session, OPTIONAL),
      ours(
        'Take them without source and volumetric_weight: the interface says always and shows other.',
        await accepts(session, [
          `${GEOLOCATION}/source`, `${PACKAGE}/dimensions/volumetric_weight`,
        ]),
      ),
    ),
  },
  {
    id: 'authorization-schedules', rows: ['AUTH-35'], role: 'carrier',
    title: 'A schedule that is no ISO 8601 date-time gets 400',
    level: 'must',
    run: async (session) => {
      const ask = authorizationAsk(session);
      return verify(
        await refuses(session, ask, [['/requirements/delivery/schedule/to', 'tomorrow']]),
        ours(REMARKS.form, await refuses(session, ask, [
          ['/requirements/pickup/schedule/from', '2026-11-20'],
        ])),
      );
    },
  },
];

/** What may be missing, or may be there. */
const OPTIONAL: readonly Flaw[] = [
  '/direction', '/keyword', '/carrier_information', '/requirements',
  `${RECEIVER}/identification`, `${ADDRESS}/street_name`, `${ADDRESS}/comment`, GEOLOCATION,
  ['/carrier_information/agency', { id: 'AG-1' }],
  ['/requirements/special_treatments', ['has_battery', 'brand_new_code']],
  ['/keyword', 'a'.repeat(64)],
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
