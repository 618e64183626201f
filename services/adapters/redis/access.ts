import type {
  AccessStates, ClientRecorded, ClientSecret, StoredToken, TokenEvent, TokenQuota,
} from '../../kernel/access.ts';
import type { RedisConfig } from './config.ts';
import { callerDigest, failureSlot, keys, tagOf, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf } from './shards.ts';
import { fromCsv, toCsv, toFields } from './texts.ts';
import { shardOf } from '../../kernel/shards.ts';

/** Clients and tokens as hashes; see README.md for their fields. */
export function createAccessStates(config: RedisConfig, runScript: RunScript): AccessStates {
  async function putTokens(events: readonly TokenEvent[], marked: boolean): Promise<void> {
    const placed = events.map((item) => ({ tag: tagOfClient(item.client_id), item }));
    for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
      await runScript(
        'apply-tokens',
        call.map(({ tag, item }) => keys.token(tag, item.token_hash)),
        [marked ? 1 : 0, config.tokenGraceMs, ...call.flatMap(({ item }) => tokenArgs(item))],
      );
    }
  }

  async function charge(names: readonly string[]): Promise<TokenQuota> {
    const interval = 60_000_000 / config.tokenRequestsPerMinute;
    return quotaOf(await runScript(
      'charge-token-request', names, [interval, config.tokenRequestsBurst],
    ));
  }

  /** Beside the limit of the client id, so that one script reaches both. */
  function failuresOf(tag: string, clientId: string, address: string): string {
    return keys.tokenFailures(tag, failureSlot(clientId, address, config.tokenFailureSlots));
  }

  return {
    async findClient(clientId) {
      const tag = tagOfClient(clientId);
      const reply = await runScript('read', [keys.ready(tag), keys.client(tag, clientId)], []);
      return toClient(clientId, toFields(reply));
    },

    async findToken(shard, tokenHash) {
      const tag = tagOf(shard);
      const reply = await runScript('read', [keys.ready(tag), keys.token(tag, tokenHash)], []);
      return toToken(tokenHash, toFields(reply));
    },

    putToken: (event) => putTokens([event], true),
    denyToken: (event) => putTokens([event], true),
    applyTokens: (events) => putTokens(events, false),

    async chargeTokenRequest(address) {
      const id = callerDigest(address);
      return charge([keys.tokenRequests(tagOf(shardOf(id)), 'address', id)]);
    },

    async chargeProvenClient(clientId, address) {
      const id = callerDigest(clientId);
      const tag = tagOf(shardOf(id));
      return charge([keys.tokenRequests(tag, 'client', id), failuresOf(tag, clientId, address)]);
    },

    async noteTokenFailure(clientId, address) {
      const tag = tagOf(shardOf(callerDigest(clientId)));
      return quotaOf(await runScript('note-token-failure', [failuresOf(tag, clientId, address)], [
        config.tokenFailuresFree, config.tokenDelayMsMin, config.tokenDelayMsMax,
        config.tokenFailuresKeptMs,
      ]));
    },

    async applyClient(event) {
      const key = keys.client(tagOfClient(event.client_id), event.client_id);
      await runScript('apply-client', [key], [event.version, ...clientArgs(event)]);
    },
  };
}

function quotaOf(reply: unknown): TokenQuota {
  const wait = Number(reply);
  return { allowed: wait === 0, retryAfterSeconds: wait };
}

function tokenArgs(event: TokenEvent): readonly (string | number)[] {
  return event.type === 'TokenRevoked'
    ? [1, event.client_id, '', '', '', event.expires_at_ms]
    : [
      0, event.client_id, event.audience, toCsv(event.scopes),
      event.issued_at_ms, event.expires_at_ms,
    ];
}

function toToken(
  tokenHash: string, fields: ReadonlyMap<string, string> | undefined,
): StoredToken | undefined {
  if (fields === undefined) return undefined;
  return {
    token_hash: tokenHash,
    client_id: fields.get('client_id') ?? '',
    // Empty when only the revocation is known, whose token is refused anyway.
    audience: fields.get('audience') ?? '',
    expires_at_ms: Number(fields.get('expires_at_ms')),
    revoked: fields.get('revoked') !== '0',
  };
}

function clientArgs(event: ClientRecorded): readonly (string | number)[] {
  return [
    'user_id', event.user_id,
    'name', event.name,
    'providers', toCsv(event.providers),
    'audiences', toCsv(event.audiences),
    'scopes', toCsv(event.scopes),
    'secrets', JSON.stringify(event.secrets),
    'status', event.status,
    'at_ms', event.at_ms,
  ];
}

function toClient(
  clientId: string, fields: ReadonlyMap<string, string> | undefined,
): ClientRecorded | undefined {
  if (fields === undefined) return undefined;
  return {
    type: 'ClientRecorded',
    client_id: clientId,
    user_id: fields.get('user_id') ?? '',
    name: fields.get('name') ?? '',
    providers: [...fromCsv(fields.get('providers'))],
    audiences: [...fromCsv(fields.get('audiences'))] as ClientRecorded['audiences'],
    scopes: [...fromCsv(fields.get('scopes'))] as ClientRecorded['scopes'],
    secrets: JSON.parse(fields.get('secrets') ?? '[]') as ClientSecret[],
    status: fields.get('status') === 'active' ? 'active' : 'disabled',
    version: Number(fields.get('version')),
    at_ms: Number(fields.get('at_ms')),
  };
}
