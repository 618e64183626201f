import { aRequest } from '../authorization-facts.ts';

/** The audiences of a client that has every right over what is its own. */
export const AUDIENCES = ['rtt', 'revoke', 'authorizations', 'logistic-feed', 'tracking-pull'] as const;

/** Any audience of a token. */
export type Audience = (typeof AUDIENCES)[number];

/** A client with every right over what is its own, and a provider of its own. */
export interface Tenant {
  readonly id: string;
  readonly secret: string;
  readonly provider: string;
  /** Only a sandbox client of these tests has one of the platform. */
  readonly tokens: Readonly<Record<Audience, string> & { platform?: string }>;
}

/** Names of things that B has, or of things that do not exist. All have one form. */
export interface Things {
  readonly owner: string;
  readonly provider: string;
  readonly device: string;
  readonly entity: string;
  readonly transport: number;
  readonly transportOrder: string;
  readonly command: string;
  readonly ingest: string;
  readonly request: string;
  readonly shipment: string;
  readonly traceable: string;
  readonly token: string;
  /** A party of the client's own, whose address is called. */
  readonly party: string;
  /** A place on the map; only around B's there is anything. */
  readonly latitude: number;
}

/** A call as a test describes it. */
export interface Probe {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly audience?: Audience | 'platform';
  /** Sent as JSON, or as a form. */
  readonly body?: object | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The call that issues a token. */
export function tokenCall(
  id: string, secret: string, audience: Audience | 'platform',
): Probe {
  return {
    method: 'POST', path: '/oauth/token', body: { audience, grant_type: 'client_credentials' },
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
  };
}

/** The call that registers a device of an entity. */
export function registration(entity: string, transport: number): Probe {
  return {
    method: 'POST', audience: 'rtt', path: '/shipping/rtt/devices?country_id=BR',
    body: {
      external_entity: { entity_id: entity, entity_type: 'truck' }, transport: { id: transport },
      device_specs: { device_type: 'GPS', brand: 'B', model: 'M', equipment_id: 'E' },
    },
  };
}

/** The call that authorizes a shipment for a transport order. */
export function authorization(transportOrder: string): Probe {
  return {
    method: 'POST', audience: 'authorizations', path: '/shipments/41/authorization',
    body: aRequest({ id: 41, transport_order_id: transportOrder }),
  };
}

/** The same call at the address of its dry run. */
export function dryProbe({ path, ...rest }: Probe): Probe {
  const [way = '', query] = path.split('?');
  return { ...rest, path: `${way}/dry_run${query === undefined ? '' : `?${query}`}` };
}
