import type { BrowserSession } from '../../../kernel/sessions.ts';

/** Something that a text may name, and the operation that says whether it does. */
export interface Candidate {
  readonly kind: 'device' | 'shipment' | 'ingest' | 'transport' | 'authorization' | 'command';
  readonly address: string;
  /** The page of what is found; absent where the answer itself is shown. */
  readonly page?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^\d{1,18}$/;
const PROVIDERS_MAX = 20;

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
    ];
  }
  return [
    ...audiences.includes('rtt') ? [
      { ...device, address: `/shipping/rtt/devices/${id}?${country}` },
      { kind: 'ingest', address: `/shipping/rtt/ingest/${id}?${country}` } as const,
      ...commands(id, providers, country),
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

function byName(
  text: string, id: string, { audiences }: BrowserSession, isPlatform: boolean,
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
    ];
  }
  return audiences.includes('tracking-pull')
    ? [{ ...shipment, address: `/shipping/tracking/shipments/${id}/journey` }] : [];
}

/** Whether an answer found something: an empty list is nothing. */
export function hasFound(body: unknown): boolean {
  const lists = Object.values(body as object).filter((each) => Array.isArray(each));
  const members = Object.keys(body as object).filter((name) => name !== 'has_more');
  const isMoreThanLists = lists.length === 0 || members.length > lists.length;
  return isMoreThanLists || lists.some(({ length }) => length > 0);
}
