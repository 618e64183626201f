import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../services/domain/access/admission.ts';
import { changeClient, revokeTokens } from '../../../services/domain/client/client.ts';
import { foldClient } from '../../../services/domain/client/projection.ts';
import { aClient, aToken } from '../../support/state-facts.ts';

const client = aClient();
const token = aToken(client);
const AT_MS = token.issued_at_ms;

describe('all tokens of a client', () => {
  it('[TOK-17] are refused once they are revoked, and those that come after it are not', () => {
    const revoked = revokeTokens(client, AT_MS);
    expect(revoked).toEqual({ ...client, revocations: 1, version: 2, at_ms: AT_MS });
    const later = { ...token, revocations: 1, revoked: false };
    expect(callerOf({ ...token, revoked: false }, revoked, AT_MS)).toBeUndefined();
    expect(callerOf(later, revoked, AT_MS)).toBeDefined();
    expect(callerOf(later, revokeTokens(revoked, AT_MS), AT_MS)).toBeUndefined();
  });

  it('[TOK-17] are revoked by disabling, so that enabling gives none of them back', () => {
    const disabled = changeClient(client, { status: 'disabled' }, AT_MS);
    expect(disabled.revocations).toBe(1);
    const enabled = changeClient(disabled, { status: 'active' }, AT_MS);
    expect(callerOf({ ...token, revoked: false }, enabled, AT_MS)).toBeUndefined();
  });

  it('[TOK-17] stay revoked where an older release had disabled the client', () => {
    const disabled = { ...client, version: 2, status: 'disabled' as const };
    const enabled = changeClient(disabled, { status: 'active' }, AT_MS);
    expect(callerOf({ ...token, revoked: false }, enabled, AT_MS)).toBeUndefined();
  });

  it('are not touched by other changes, nor by enabling a client that is active', () => {
    expect(changeClient(client, { status: 'active' }, AT_MS)).not.toHaveProperty('revocations');
    expect(changeClient(client, { providers: [] }, AT_MS)).not.toHaveProperty('revocations');
  });
});

describe('facts of a client', () => {
  const revoked = revokeTokens(client, AT_MS);
  const sameVersion = changeClient(client, { name: 'B' }, AT_MS);

  it('count by version, and give no revocation back, in whatever order they come', () => {
    const newer = changeClient(sameVersion, { name: 'C' }, AT_MS);
    const orders = [[client, revoked, sameVersion, newer], [newer, sameVersion, revoked, client]];
    for (const facts of orders) {
      expect(facts.reduce<typeof client | undefined>(foldClient, undefined))
        .toEqual({ ...newer, revocations: 1 });
    }
  });

  it('of a sandbox client make no real one of it, in whatever order they come', () => {
    const sandboxed = aClient({ sandbox: true });
    expect(changeClient(sandboxed, { name: 'B' }, AT_MS).sandbox).toBe(true);
    const { sandbox: _, ...real } = changeClient(sandboxed, { name: 'B' }, AT_MS);
    for (const facts of [[sandboxed, real], [real, sandboxed]]) {
      expect(facts.reduce<typeof client | undefined>(foldClient, undefined))
        .toEqual({ ...real, sandbox: true });
    }
  });

  it('change nothing when they come again', () => {
    const kept = foldClient(sameVersion, revoked);
    expect(kept).toEqual({ ...sameVersion, revocations: 1 });
    expect(foldClient(kept, revoked)).toBe(kept);
    expect(foldClient(revoked, client)).toBe(revoked);
  });
});
