import type { AccessStates, TokenEvent, TokenQuota } from '../../../services/kernel/access.ts';
import type { Clock } from '../../../services/kernel/clock.ts';
import type { StateSettings } from './settings.ts';
import { look } from './buckets.ts';
import type { FakeStore, Guard } from './store.ts';

/** {@link AccessStates} over the store in memory. */
export function fakeAccess(
  store: FakeStore, guard: Guard, clock: Clock, settings: StateSettings,
): AccessStates {
  function merge(event: TokenEvent): void {
    const kept = store.tokens.get(event.token_hash);
    const base = kept ?? {
      client_id: event.client_id, audience: undefined, scopes: [], revoked: false,
    };
    store.tokens.set(event.token_hash, event.type === 'TokenIssued'
      ? {
        ...base, audience: event.audience, scopes: event.scopes,
        expires_at_ms: event.expires_at_ms,
      }
      : { ...base, revoked: true, expires_at_ms: event.expires_at_ms });
  }

  function charge(name: string): TokenQuota {
    const bucket = look(store.buckets, name, clock.nowMs(), {
      intervalMs: 60_000 / settings.tokenRequestsPerMinute, burst: settings.tokenRequestsBurst,
    });
    if (!bucket.fits(1)) return { allowed: false, retryAfterSeconds: bucket.waitSeconds() };
    bucket.take(1);
    return { allowed: true, retryAfterSeconds: 0 };
  }

  function noteFailure(name: string): TokenQuota {
    const nowMs = clock.nowMs();
    const kept = store.failures.get(name);
    const { count, waitEndsMs } = kept !== undefined && kept.keptUntilMs > nowMs
      ? kept : { count: 0, waitEndsMs: 0 };
    if (waitEndsMs > nowMs) return waiting(waitEndsMs - nowMs);
    const { tokenFailuresFree, tokenDelayMsMin, tokenDelayMsMax, tokenFailuresKeptMs } = settings;
    const beyond = count + 1 - tokenFailuresFree;
    const delayMs = beyond > 0 ? Math.min(tokenDelayMsMin * 2 ** (beyond - 1), tokenDelayMsMax) : 0;
    store.failures.set(name, {
      count: count + 1, waitEndsMs: nowMs + delayMs,
      keptUntilMs: nowMs + Math.max(tokenFailuresKeptMs, 2 * delayMs),
    });
    return waiting(delayMs);
  }

  return {
    async findClient(clientId) {
      guard(true);
      return store.clients.get(clientId);
    },
    async findToken(_shard, tokenHash) {
      guard(true);
      const token = store.tokens.get(tokenHash);
      if (token === undefined) return undefined;
      const { client_id, audience, expires_at_ms, revoked } = token;
      return { token_hash: tokenHash, client_id, audience: audience ?? '', expires_at_ms, revoked };
    },
    async putToken(event) {
      guard(true);
      merge(event);
    },
    async denyToken(event) {
      guard(true);
      merge(event);
    },
    async chargeTokenRequest(address) {
      guard(true);
      return charge(`address:${address}`);
    },
    async chargeProvenClient(clientId, address) {
      guard(true);
      const quota = charge(`client:${clientId}`);
      if (quota.allowed) store.failures.delete(`${clientId} ${address}`);
      return quota;
    },
    async noteTokenFailure(clientId, address) {
      guard(true);
      return noteFailure(`${clientId} ${address}`);
    },
    async applyClient(event) {
      guard(false);
      if (event.version > (store.clients.get(event.client_id)?.version ?? 0)) {
        store.clients.set(event.client_id, event);
      }
    },
    async applyTokens(events) {
      guard(false);
      events.forEach(merge);
    },
  };
}

function waiting(delayMs: number): TokenQuota {
  return { allowed: delayMs === 0, retryAfterSeconds: Math.ceil(delayMs / 1_000) };
}
