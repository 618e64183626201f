import type { PartyClientCredentials } from '../../../schemas/generated/types.ts';
import type { PartyRecorded } from '../../kernel/parties.ts';
import type { PartyChange } from '../../domain/party/party.ts';

/** What the options of `rastro party` say; secrets come another way. */
export interface PartyOptions {
  readonly change: PartyChange & { readonly kind?: PartyRecorded['kind'] };
  readonly auth: { readonly kind: 'static' } | Omit<PartyClientCredentials, 'sealed_secret'> | undefined;
}

type Texts = Readonly<Record<string, string | boolean | string[] | undefined>>;

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const CLIENT = /^[1-9]\d{14}$/;

/** Reads options into a change, or says in a sentence which value is not allowed. */
export function readPartyOptions(values: Texts): PartyOptions | string {
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const [kind, provider, client, url] = ['kind', 'provider', 'client', 'url'].map(text);
  if (kind !== undefined && kind !== 'provider' && kind !== 'carrier') {
    return 'A party is a provider or a carrier.';
  }
  if (provider !== undefined && !PROVIDER.test(provider)) {
    return `A provider must match ${PROVIDER.source}.`;
  }
  if (client !== undefined && !CLIENT.test(client)) return 'A client id has fifteen digits.';
  if (url !== undefined && !isAddress(url)) return `${url} is no http address.`;
  const auth = readAuth(text);
  if (typeof auth === 'string') return auth;
  const retry = readRetry(text);
  if (typeof retry === 'string') return retry;
  const contracts = values['agency-contract'] as string[] | undefined;
  const name = text('name');
  return {
    auth,
    change: {
      ...(kind === undefined ? {} : { kind }),
      ...(name === undefined ? {} : { name }),
      ...(provider === undefined ? {} : { provider }),
      ...(client === undefined ? {} : { client_id: client }),
      ...(url === undefined ? {} : { base_url: url }),
      ...(retry === undefined ? {} : { retry }),
      ...(values['feed'] === undefined ? {} : { feed: values['feed'] === true }),
      ...(contracts === undefined ? {} : { contracts_requiring_agency: contracts }),
    },
  };
}

function readAuth(text: (name: string) => string | undefined): PartyOptions['auth'] | string {
  const kind = text('auth');
  if (kind === undefined) return undefined;
  if (kind === 'static') return { kind: 'static' };
  if (kind !== 'client-credentials') return '--auth is static or client-credentials.';
  const [token_url, client_id, audience] = ['token-url', 'auth-client', 'audience'].map(text);
  if (token_url === undefined || client_id === undefined || !isAddress(token_url)) {
    return 'Client credentials need --token-url and --auth-client.';
  }
  return { kind: 'client_credentials', token_url, client_id, audience: audience ?? 'rtt' };
}

function readRetry(
  text: (name: string) => string | undefined,
): NonNullable<PartyRecorded['retry']> | string | undefined {
  const given = ['retry-tries', 'retry-first', 'retry-max'].map(text);
  if (given.every((value) => value === undefined)) return undefined;
  const [tries = 10, first = 30, most = 3_600] = given.map((value) =>
    (value === undefined ? undefined : Number(value)));
  if (!Number.isInteger(tries) || tries < 1 || !(first > 0) || !(most >= first)) {
    return 'A retry schema is --retry-tries N --retry-first SECONDS --retry-max SECONDS.';
  }
  return { tries_max: tries, first_wait_seconds: first, wait_seconds_max: most };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
