import { describe, expect, it } from 'vitest';
import { decideIssue, decideRevoke } from '../../../services/domain/token/token.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';

const client: ClientRecorded = {
  type: 'ClientRecorded', client_id: '100000000000001', user_id: '7', name: 'Acme',
  providers: ['acme'], audiences: ['rtt'], scopes: ['rtt:locations'], secrets: [],
  status: 'active', version: 1, at_ms: 0,
};
const request = {
  secret_matches: true, audience: 'rtt', token_hash: 'aa', at_ms: 1_000,
} as const;

describe('a token request', () => {
  it('[TOK-01] [TOK-02] by a known client gives a token of six hours', () => {
    const decision = decideIssue(request, client);
    expect(decision).toMatchObject({
      kind: 'happened',
      events: [{ audience: 'rtt', expires_at_ms: 1_000 + 21_600_000 }],
    });
  });

  it('[TOK-06] with a wrong secret, an unknown or a disabled client is refused alike', () => {
    const wrong = decideIssue({ ...request, secret_matches: false }, client);
    expect(wrong).toEqual({ kind: 'refused', code: 'invalid_client' });
    expect(decideIssue(request, undefined)).toEqual(wrong);
    expect(decideIssue(request, { ...client, status: 'disabled' })).toEqual(wrong);
  });

  it('[TOK-08] for an audience of others is refused', () => {
    expect(decideIssue({ ...request, audience: 'booking' }, client))
      .toEqual({ kind: 'refused', code: 'invalid_target' });
  });

  it('[TOK-17] says how often all tokens of the client had been revoked before, if ever', () => {
    expect(decideIssue(request, { ...client, revocations: 2 }))
      .toMatchObject({ events: [{ revocations: 2 }] });
    expect(decideIssue(request, client)).not.toHaveProperty('events.0.revocations');
  });

  it('for audience revoke is open to every client', () => {
    expect(decideIssue({ ...request, audience: 'revoke' }, client).kind).toBe('happened');
  });
});

const revocation = {
  client_id: '100000000000001', header_token_hash: 'hh', token_hash: 'tt', at_ms: 1_000,
};
const target = {
  token_hash: 'tt', client_id: '100000000000001', audience: 'rtt', expires_at_ms: 2_000,
  revoked: false,
};

describe('a revocation', () => {
  it('[TOK-16] of an own token happens', () => {
    expect(decideRevoke(revocation, target)).toMatchObject({
      kind: 'happened', events: [{ type: 'TokenRevoked', token_hash: 'tt' }],
    });
  });

  it('[TOK-19] of the header token itself is refused', () => {
    expect(decideRevoke({ ...revocation, token_hash: 'hh' }, target))
      .toEqual({ kind: 'refused', code: 'invalid_request' });
  });

  it('[TOK-23] of an unknown, foreign or expired token does nothing', () => {
    const foreign = { ...target, client_id: '2' };
    const expired = { ...target, expires_at_ms: 1_000 };
    for (const each of [undefined, foreign, expired]) {
      expect(decideRevoke(revocation, each).kind).toBe('unchanged');
    }
  });
});
