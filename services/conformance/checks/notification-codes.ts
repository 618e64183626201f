import { isoOf } from '../bodies.ts';
import { verify, type Check, type Finding } from '../check.ts';
import { status } from '../findings.ts';
import { refuses, type Flaw } from '../flaws.ts';
import type { Session } from '../session.ts';
import { aNotification, pushAsk } from '../shipments.ts';
import { REMARKS } from '../remarks.ts';

interface CodeRule {
  readonly rows: readonly string[];
  /** What the payload of this code needs beside date and location. */
  readonly payload: (session: Session) => object;
  readonly flaws: readonly Flaw[];
}

const later = (session: Session): string => isoOf(session.nowSeconds() + 86_400);
const country = '/payload/location/country_id';
const packages = '/payload/consolidated_packages';
const content = '/payload/details/transport/content';

/** The codes whose extra fields the interface names, with these fields. */
const RULES: Readonly<Record<string, CodeRule>> = {
  '0114': {
    rows: ['NOT-08'], payload: () => ({ reason: 'arriving' }), flaws: ['/payload/reason'],
  },
  '0133': {
    rows: ['NOT-25'],
    payload: () => ({ driver: { id: 'd-1', name: 'Ana', phone: '+59899123456' } }),
    flaws: ['/payload/driver', '/payload/driver/id', '/payload/driver/name'],
  },
  'CBT-0133': {
    rows: ['NOT-14', 'NOT-21'],
    payload: (session) => ({ estimated_pickup_date: later(session) }),
    flaws: [country, '/payload/location', '/payload/estimated_pickup_date'],
  },
  'CBT-0201': {
    rows: ['NOT-10', 'NOT-14'], payload: () => ({ agency_id: 'AG-1' }),
    flaws: [country, '/payload/agency_id'],
  },
  'CBT-0215': {
    rows: ['NOT-10', 'NOT-11', 'NOT-14'],
    payload: () => ({ agency_id: 'AG-1', agency: { phone_number: '+551133334444' } }),
    flaws: [country, '/payload/agency_id'],
  },
  'CBT-0260': {
    rows: ['NOT-13', 'NOT-14', 'NOT-18'],
    payload: () => ({ cost: 12.5, dimensions: { weight: 1_500 } }),
    flaws: [country, '/payload/cost', '/payload/dimensions', '/payload/dimensions/weight'],
  },
  'CBT-0265': {
    rows: ['NOT-13', 'NOT-14', 'NOT-20', 'NOT-21'],
    payload: (session) => ({
      cost: 12.5, estimated_pickup_date: later(session), estimated_delivery_date: later(session),
    }),
    flaws: [
      country, '/payload/cost', '/payload/estimated_pickup_date',
      '/payload/estimated_delivery_date',
    ],
  },
  'CBT-0270': {
    rows: ['NOT-14', 'NOT-27'],
    payload: () => ({ details: { transport: { content: { restricted_item_type: 'BATTERY' } } } }),
    flaws: [
      country, '/payload/details', `${content}/restricted_item_type`,
      [`${content}/restricted_item_type`, 'GOLD'],
    ],
  },
  'CBT-0272': {
    rows: ['NOT-08', 'NOT-14', 'NOT-26'],
    payload: (session) => ({
      reason: 'merged',
      consolidated_packages: {
        consolidation_id: 'c-1', tracking_number: session.unique('merged'), shipments: ['1', '2'],
      },
    }),
    flaws: [
      country, '/payload/reason', packages, `${packages}/consolidation_id`,
      `${packages}/tracking_number`, `${packages}/shipments`,
    ],
  },
  'CBT-0283': {
    rows: ['NOT-09', 'NOT-14'], payload: () => ({ declaration_number: '26BR000001' }),
    flaws: [country, '/payload/declaration_number'],
  },
};

/** One check per code of the interface: with its fields 202, without one of them 400. */
export const notificationCodeChecks: readonly Check[] = Object.entries(RULES).map(
  ([code, rule]) => ({
    id: `notification-code-${code.toLowerCase()}`, rows: rule.rows, role: 'receiver',
    title: `Code ${code} needs the fields that the interface names for it`,
    level: 'should', remark: REMARKS.push,
    run: async (session) => verify(...await examine(session, code, rule)),
  }),
);

async function examine(session: Session, code: string, rule: CodeRule): Promise<Finding[]> {
  const notification = aNotification(session, session.unique('KIT'), code);
  const payload = { ...notification.payload, ...rule.payload(session) };
  const ask = pushAsk({ ...notification, payload });
  const refused = await refuses(session, ask, rule.flaws);
  return [refused, status(await session.send(ask), 202)];
}
