import type { AccessStates, TokenEvent } from '../../../services/kernel/access.ts';
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
    async chargeTokenRequest(clientId, address) {
      guard(true);
      const limit = {
        intervalMs: 60_000 / settings.tokenRequestsPerMinute, burst: settings.tokenRequestsBurst,
      };
      for (const name of [`address:${address}`, `client:${clientId}`]) {
        const bucket = look(store.buckets, name, clock.nowMs(), limit);
        if (!bucket.fits(1)) return { allowed: false, retryAfterSeconds: bucket.waitSeconds() };
        bucket.take(1);
      }
      return { allowed: true, retryAfterSeconds: 0 };
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
