/** The fields that a code asks for, and nothing else. */
const ASKED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '0114': { reason: 'arriving' },
  '0133': { driver: { id: 'D7', name: 'João' } },
  'CBT-0133': { estimated_pickup_date: '2026-11-21T12:00:00Z' },
  'CBT-0201': { agency_id: 'AG-17' },
  'CBT-0215': { agency_id: 'AG-17' },
  'CBT-0260': { cost: 12.5, dimensions: { weight: 1500 } },
  'CBT-0265': {
    cost: 12.5, estimated_delivery_date: '2026-11-23T12:00:00-03:00',
    estimated_pickup_date: '2026-11-21T12:00:00Z',
  },
  'CBT-0270': { details: { transport: { content: { restricted_item_type: 'BATTERY' } } } },
  'CBT-0272': {
    reason: 'consolidated',
    consolidated_packages: {
      consolidation_id: 'C1', tracking_number: 'CONS1', shipments: [40000000001, '40000000002'],
    },
  },
  'CBT-0283': { declaration_number: '26BR1' },
};

/** The codes that ask for fields of their own. */
export const ASKING_CODES: readonly string[] = Object.keys(ASKED);

/** A notification as a carrier sends it. */
export interface SentNotification {
  readonly tracking_number: string;
  readonly code: string;
  readonly carrier_code: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A good notification of a code, with everything that the code asks for. */
export function aNotification(
  code = 'EX-HUB', more: Readonly<Record<string, unknown>> = {},
): SentNotification {
  return {
    tracking_number: 'RST1',
    code,
    carrier_code: `own-${code}`,
    payload: {
      date: '2026-11-20T10:15:00-03:00',
      ...(code.startsWith('CBT') ? { location: { country_id: 'BR' } } : {}),
      ...ASKED[code],
      ...more,
    },
  };
}

/** The same notification without the field at a path below payload. */
export function without(notification: SentNotification, path: string): SentNotification {
  const copy = structuredClone(notification);
  const names = path.split('/');
  const last = names.pop() ?? '';
  let at = copy.payload as Record<string, unknown>;
  for (const name of names) at = at[name] as Record<string, unknown>;
  delete at[last];
  return copy;
}
