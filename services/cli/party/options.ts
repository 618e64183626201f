import type { PartyClientCredentials } from '../../../schemas/generated/types.ts';
import type { PartyRecorded } from '../../kernel/parties.ts';
import type { PartyChange } from '../../domain/party/party.ts';

/** Who a party may be. */
export const KINDS = ['provider', 'carrier'] as const satisfies readonly PartyRecorded['kind'][];

/** How we log in at a party. */
export const AUTHENTICATIONS = ['static', 'client-credentials'] as const;

/** What the options of `rastro party` say; secrets come another way. */
export interface PartyOptions {
  readonly change: PartyChange & { readonly kind?: PartyRecorded['kind'] };
  readonly auth: { readonly kind: 'static' } | Omit<PartyClientCredentials, 'sealed_secret'> | undefined;
}

/** The options of a party as the command line gives them. */
export interface PartyWords {
  readonly kind?: PartyRecorded['kind'];
  readonly name?: string;
  readonly provider?: string;
  readonly client?: string;
  readonly url?: string;
  readonly auth?: (typeof AUTHENTICATIONS)[number];
  readonly tokenUrl?: string;
  readonly authClient?: string;
  readonly audience?: string;
  readonly retryTries?: string;
  readonly retryFirst?: string;
  readonly retryMax?: string;
  readonly feed?: boolean;
  readonly agencyContract?: readonly string[];
}

const CLIENT = /^[1-9]\d{14}$/;

/** Reads options into a change, or says in a sentence which value is not allowed. */
export function readPartyOptions(words: PartyWords): PartyOptions | string {
  const { kind, name, provider, client, url, feed, agencyContract } = words;
  if (client !== undefined && !CLIENT.test(client)) return 'A client id has fifteen digits.';
  if (url !== undefined && !isAddress(url)) return `${url} is no http address.`;
  const auth = readAuth(words);
  if (typeof auth === 'string') return auth;
  const retry = readRetry(words);
  if (typeof retry === 'string') return retry;
  return {
    auth,
    change: {
      ...(kind === undefined ? {} : { kind }),
      ...(name === undefined ? {} : { name }),
      ...(provider === undefined ? {} : { provider }),
      ...(client === undefined ? {} : { client_id: client }),
      ...(url === undefined ? {} : { base_url: url }),
      ...(retry === undefined ? {} : { retry }),
      ...(feed === undefined ? {} : { feed }),
      ...(agencyContract === undefined
        ? {} : { contracts_requiring_agency: [...agencyContract] }),
    },
  };
}

function readAuth(
  { auth: kind, tokenUrl: token_url, authClient: client_id, audience }: PartyWords,
): PartyOptions['auth'] | string {
  if (kind === undefined) return undefined;
  if (kind === 'static') return { kind: 'static' };
  if (token_url === undefined || client_id === undefined || !isAddress(token_url)) {
    return 'Client credentials need --token-url and --auth-client.';
  }
  return { kind: 'client_credentials', token_url, client_id, audience: audience ?? 'rtt' };
}

function readRetry(
  { retryTries, retryFirst, retryMax }: PartyWords,
): NonNullable<PartyRecorded['retry']> | string | undefined {
  const given = [retryTries, retryFirst, retryMax];
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
