import { foldClient } from '../domain/client/projection.ts';
import { limitsIn, limitsText } from '../kernel/client-limits.ts';
import { foldToken, type TokenState } from '../domain/token/projection.ts';
import type {
  AccessStates, ClientRecorded, ClientSecret, TokenEvent, TokenLimits,
} from '../kernel/access.ts';
import { fromCsv, toCsv } from '../kernel/csv.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import { changeOf, jsonIn, numberIn, type NextEntry } from './entries.ts';
import { changing, FROM_THE_LOG } from './fold-facts.ts';
import { NUMBER_RANGES, withRanges } from './number-ranges.ts';
import { transact, transactEach, type Work } from './transact.ts';

/** How tokens are kept. */
export interface AccessConfig {
  /** How long a token stays in the store after its end, for clocks that differ. */
  readonly tokenGraceMs: number;
}

/** Where a client lies. `admit.lua` reads it there. */
export function clientKey(clientId: string): StateKey {
  return { shard: shardOf(clientId), kind: 'client', id: clientId };
}

/** The key of a token: in the shard of its client, which the token names. */
export function tokenKey(shard: number, tokenHash: string): StateKey {
  return { shard, kind: 'token', id: tokenHash };
}

/** Clients and tokens over the state store; their limits are a matter of the adapter. */
export function createAccessStates(
  config: AccessConfig, store: StateStore, limits: TokenLimits,
): AccessStates {
  function foldWork(event: TokenEvent): Work<boolean> {
    const key = tokenKey(shardOf(event.client_id), event.token_hash);
    return {
      keys: [key],
      decide([entry]) {
        if (entry === undefined) return { result: false };
        const kept = toToken(event.token_hash, entry.fields);
        const next = foldToken(kept, event);
        const change = changeOf(key, entry, tokenEntry(next, config.tokenGraceMs));
        const result = kept?.revoked === false;
        return { result, transaction: change && { entries: [change] } };
      },
    };
  }

  async function read(key: StateKey): Promise<StateFields> {
    const { entries } = await store.read([key], { requireReady: true });
    return entries[0]?.fields ?? new Map<string, string>();
  }

  /** Whether the token was good before. */
  const take = (event: TokenEvent): Promise<boolean> =>
    transact(store, { requireReady: true }, foldWork(event));
  const put = async (event: TokenEvent): Promise<void> => {
    await take(event);
  };

  return {
    ...limits,
    findClient: async (clientId) => toClient(clientId, await read(clientKey(clientId))),
    async findToken(shard, tokenHash) {
      const token = toToken(tokenHash, await read(tokenKey(shard, tokenHash)));
      if (token === undefined) return undefined;
      const { client_id, expires_at_ms, revoked, audience = '' } = token;
      return { token_hash: tokenHash, client_id, audience, expires_at_ms, revoked };
    },
    putToken: put,
    denyToken: put,
    takeToken: take,
    async applyTokens(events) {
      await transactEach(store, { requireReady: false }, events.map(foldWork));
    },
    /** Its ranges first: they are asked for by number, never by client. */
    async applyClient(event) {
      await transact(store, FROM_THE_LOG, changing(
        NUMBER_RANGES, ({ fields }) => withRanges(fields, event),
      ));
      const key = clientKey(event.client_id);
      await transact(store, { requireReady: false }, {
        keys: [key],
        decide([entry]) {
          if (entry === undefined) return { result: undefined };
          const next = foldClient(toClient(event.client_id, entry.fields), event);
          const change = changeOf(key, entry, { fields: clientFields(next) });
          return { result: undefined, transaction: change && { entries: [change] } };
        },
      });
    },
  };
}

function tokenEntry(token: TokenState, graceMs: number): NextEntry {
  const { client_id, expires_at_ms, revoked, audience, scopes, revocations, issued_at_ms } = token;
  return {
    fields: {
      client_id, expires_at_ms, revoked: revoked ? 1 : 0, audience,
      scopes: scopes && toCsv(scopes), revocations, issued_at_ms,
    },
    expireAtMs: expires_at_ms + graceMs,
  };
}

/** A token from its fields; undefined when nothing is known of it. */
export function toToken(tokenHash: string, fields: StateFields): TokenState | undefined {
  if (fields.size === 0) return undefined;
  const audience = fields.get('audience');
  const issuedAtMs = numberIn(fields, 'issued_at_ms');
  return {
    token_hash: tokenHash,
    client_id: fields.get('client_id') ?? '',
    expires_at_ms: numberIn(fields, 'expires_at_ms') ?? 0,
    revoked: fields.get('revoked') !== '0',
    ...(audience === undefined ? {} : { audience, scopes: fromCsv(fields.get('scopes')) }),
    ...revocationsIn(fields),
    ...(issuedAtMs === undefined ? {} : { issued_at_ms: issuedAtMs }),
  };
}

function clientFields(client: ClientRecorded): NextEntry['fields'] {
  const {
    type: _, client_id: __, providers, audiences, scopes, secrets, tracking_numbers, limits,
    sandbox, ...rest
  } = client;
  return {
    ...rest,
    providers: toCsv(providers), audiences: toCsv(audiences), scopes: toCsv(scopes),
    secrets: JSON.stringify(secrets),
    tracking_numbers: tracking_numbers && JSON.stringify(tracking_numbers),
    limits: limits && limitsText(limits),
    sandbox: sandbox === true ? 1 : undefined,
  };
}

/** A client from its fields; undefined when it is not known. */
export function toClient(clientId: string, fields: StateFields): ClientRecorded | undefined {
  if (fields.size === 0) return undefined;
  const tracking_numbers = jsonIn<string[]>(fields, 'tracking_numbers');
  return {
    type: 'ClientRecorded',
    client_id: clientId,
    user_id: fields.get('user_id') ?? '',
    name: fields.get('name') ?? '',
    providers: [...fromCsv(fields.get('providers'))],
    audiences: [...fromCsv(fields.get('audiences'))] as ClientRecorded['audiences'],
    scopes: [...fromCsv(fields.get('scopes'))] as ClientRecorded['scopes'],
    secrets: jsonIn<ClientSecret[]>(fields, 'secrets') ?? [],
    ...(tracking_numbers === undefined ? {} : { tracking_numbers }),
    ...limitsIn(fields.get('limits')),
    ...(fields.get('sandbox') === '1' ? { sandbox: true } : {}),
    status: fields.get('status') === 'active' ? 'active' : 'disabled',
    ...revocationsIn(fields),
    version: numberIn(fields, 'version') ?? 0,
    at_ms: numberIn(fields, 'at_ms') ?? 0,
  };
}

function revocationsIn(fields: StateFields): { readonly revocations?: number } {
  const revocations = numberIn(fields, 'revocations');
  return revocations === undefined ? {} : { revocations };
}
