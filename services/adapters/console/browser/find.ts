import type { BrowserSession } from '../../../kernel/sessions.ts';

/** Something that a text may name, and the operation that says whether it does. */
export interface Candidate {
  readonly kind: 'device' | 'shipment' | 'ingest' | 'transport' | 'authorization' | 'command';
  readonly address: string;
  /** The page of what is found; absent where the answer itself is shown. */
  readonly page?: string;
  /** The answer lists devices, each of which has a page of its own. */
  readonly isOfDevices?: true;
}

/** Something that was found, with what is shown of it. */
export interface Hit extends Pick<Candidate, 'kind' | 'address' | 'page'> {
  readonly body: object;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^\d{1,18}$/;
const PROVIDERS_MAX = 20;
/** Registrations of one name that are shown, the newest first. */
const NAMED_MAX = 20;

/** Everything that a text may be for this session, by its form alone. */
export function candidatesFor(pasted: string, session: BrowserSession): readonly Candidate[] {
  const text = pasted.trim();
  if (text === '' || text.length > 255) return [];
  const id = encodeURIComponent(text);
  const isPlatform = session.audiences.includes('platform');
  return UUID.test(text) ? byUuid(id, session, isPlatform) : byName(text, id, session, isPlatform);
}

function byUuid(id: string, session: BrowserSession, isPlatform: boolean): readonly Candidate[] {
  const { audiences, country_id, providers } = session;
  const country = `country_id=${country_id}`;
  const device = { kind: 'device', page: `#/device/${id}` } as const;
  if (isPlatform) {
    return [
      { ...device, address: `/platform/devices/${id}` },
      { kind: 'ingest', address: `/platform/ingest/${id}` },
      { kind: 'authorization', address: `/platform/authorizations/${id}` },
      { kind: 'command', address: `/platform/commands?command_id=${id}` },
      ...named(id, session, isPlatform),
    ];
  }
  return [
    ...audiences.includes('rtt') ? [
      { ...device, address: `/shipping/rtt/devices/${id}?${country}` },
      { kind: 'ingest', address: `/shipping/rtt/ingest/${id}?${country}` } as const,
      ...commands(id, providers, country),
      ...named(id, session, isPlatform),
    ] : [],
    ...audiences.includes('logistic-feed')
      ? [{ kind: 'ingest', address: `/shipping/tracking/ingest/${id}` } as const] : [],
  ];
}

function commands(id: string, providers: readonly string[], country: string): readonly Candidate[] {
  return providers.slice(0, PROVIDERS_MAX).map((provider) => ({
    kind: 'command', address: `/platform/providers/${provider}/commands/${id}?${country}`,
  }));
}

/** Devices whose provider calls them so. Every text may be such a name, a UUID too. */
function named(
  id: string, { audiences, country_id }: BrowserSession, isPlatform: boolean,
): readonly Candidate[] {
  const query = `external_entity_id=${id}&limit=${NAMED_MAX}`;
  const device = { kind: 'device', isOfDevices: true } as const;
  if (isPlatform) return [{ ...device, address: `/platform/devices?${query}` }];
  return audiences.includes('rtt')
    ? [{ ...device, address: `/shipping/rtt/devices?country_id=${country_id}&${query}` }] : [];
}

function byName(
  text: string, id: string, session: BrowserSession, isPlatform: boolean,
): readonly Candidate[] {
  const shipment = { kind: 'shipment', page: `#/shipment/${id}` } as const;
  if (isPlatform) {
    return [
      { ...shipment, address: `/platform/shipments/${id}` },
      { kind: 'shipment', address: `/platform/shipments?shipment_id=${id}` },
      { kind: 'shipment', address: `/platform/shipments?transport_order_id=${id}` },
      ...NUMBER.test(text)
        ? [
          { kind: 'transport', address: `/platform/transports/${id}/devices` } as const,
          { kind: 'command', address: `/platform/commands?transport_id=${id}` } as const,
        ] : [],
      ...named(id, session, isPlatform),
    ];
  }
  return [
    ...session.audiences.includes('tracking-pull')
      ? [{ ...shipment, address: `/shipping/tracking/shipments/${id}/journey` }] : [],
    ...named(id, session, isPlatform),
  ];
}

/** What an answer to a candidate found. */
export function hitsIn(
  { kind, address, page, isOfDevices }: Candidate, body: object,
): readonly Hit[] {
  if (isOfDevices === true) {
    const { devices } = body as { readonly devices: readonly { readonly id: string }[] };
    return devices.map((device) => ({
      kind, address, page: `#/device/${encodeURIComponent(device.id)}`, body: device,
    }));
  }
  return hasFound(body) ? [{ kind, address, ...(page === undefined ? {} : { page }), body }] : [];
}

/** Where to ask on when a page has nothing and yet is not the last. */
export function nextPage(address: string, body: object): string | undefined {
  const { next_cursor: cursor } = body as { readonly next_cursor?: string };
  if (cursor === undefined) return undefined;
  return `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}

/** The page that all hits lead to, if it is one. */
export function onlyPage(hits: readonly Hit[]): string | undefined {
  const [first] = hits;
  return hits.every(({ page }) => page === first?.page) ? first?.page : undefined;
}

/** What says that a list goes on, and not what is in it. */
const PAGING = ['has_more', 'next_cursor'];

/** Whether an answer found something: an empty list is nothing. */
export function hasFound(body: unknown): boolean {
  const lists = Object.values(body as object).filter((each) => Array.isArray(each));
  const members = Object.keys(body as object).filter((name) => !PAGING.includes(name));
  const isMoreThanLists = lists.length === 0 || members.length > lists.length;
  return isMoreThanLists || lists.some(({ length }) => length > 0);
}
