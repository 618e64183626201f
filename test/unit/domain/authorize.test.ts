import { describe, expect, it } from 'vitest';
import { createAuthorizeCaller } from '../../../services/domain/access/authorize.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { AdmissionFacts } from '../../../services/kernel/admission.ts';
import type { AskedCall, Operation } from '../../../services/kernel/http.ts';
import { GOOD_FACTS } from '../../support/edge.ts';

const OPERATION: Operation<'bearer'> = {
  id: 'sample', method: 'POST', path: '/sample/:provider', authentication: 'bearer',
  audience: 'rtt', scope: 'rtt:locations', bodyKind: 'none', bodyBytesMax: 1, needsCountry: true,
  errors: problemErrors, handle: async () => ({ kind: 'answer', status: 200, body: {} }),
};
const ASKED: AskedCall = {
  params: { provider: 'acme' }, clientIdHeader: undefined, deviceId: 'device-1',
};

interface Situation {
  readonly operation?: Partial<Operation<'bearer'>>;
  readonly caller?: Partial<NonNullable<AdmissionFacts['caller']>> | 'none';
  readonly device?: AdmissionFacts['device'] | 'none';
  readonly quota?: boolean;
  readonly asked?: Partial<AskedCall>;
  readonly clientIdRequired?: boolean;
}

function authorized(situation: Situation): string {
  const { operation, caller, device, quota = true, asked, clientIdRequired = false } = situation;
  const facts: AdmissionFacts = {
    caller: caller === 'none' ? undefined : { ...GOOD_FACTS.caller!, ...caller },
    device: device === 'none' ? undefined : device ?? GOOD_FACTS.device,
    quota: { ...GOOD_FACTS.quota!, allowed: quota },
  };
  const authorize = createAuthorizeCaller({ clientIdRequired });
  const refusal = authorize({ ...OPERATION, ...operation }, facts, { ...ASKED, ...asked });
  return refusal?.code ?? 'admitted';
}

describe('the authorization of a call', () => {
  it.each<[string, string, Situation]>([
    ['[RTT-04]', 'invalid_token', { caller: 'none' }],
    ['[RTT-05]', 'wrong_audience', { caller: { audience: 'revoke' } }],
    ['[RTT-06]', 'insufficient_scope', { caller: { scopes: [] } }],
    ['[RTT-07]', 'insufficient_scope', { caller: { scopes: ['rtt:devices', 'rtt:events'] } }],
    ['[RTT-07]', 'insufficient_scope', { operation: { scope: 'rtt:devices' } }],
    ['[RTT-08]', 'admitted', { asked: { clientIdHeader: undefined } }],
    ['[RTT-09]', 'admitted', { asked: { clientIdHeader: '100000000000042' } }],
    ['[RTT-09]', 'client_id_mismatch', { asked: { clientIdHeader: '100000000000043' } }],
    ['[RTT-09]', 'client_id_mismatch', { asked: { clientIdHeader: '' } }],
    ['[RTT-10]', 'client_id_required', { clientIdRequired: true }],
    ['[RTT-10]', 'admitted', {
      clientIdRequired: true, asked: { clientIdHeader: '100000000000042' },
    }],
    ['[RTT-11]', 'provider_not_allowed', { asked: { params: { provider: 'other' } } }],
    ['[RTT-11]', 'provider_not_allowed', { asked: { params: { provider: '../../admin' } } }],
    ['[RTT-11]', 'admitted', { asked: { params: {} } }],
    ['[LOC-12]', 'tracking_not_started', { device: { epoch: 1, transportId: '7' } }],
    ['[LOC-13]', 'tracking_stopped', { device: { epoch: 3, transportId: '7' } }],
    ['[LOC-16]', 'device_not_allowed', { device: 'none' }],
    ['[LOC-16]', 'device_not_allowed', { device: { epoch: 0, transportId: '' } }],
    ['[LOC-16]', 'device_not_allowed', {
      device: 'none', asked: { deviceId: 'sandbox-internal' },
    }],
    ['ADR 0108', 'device_not_allowed', { device: 'none', caller: { sandbox: true } }],
    ['ADR 0108', 'admitted', {
      device: 'none', caller: { sandbox: true }, asked: { deviceId: 'sandbox-internal' },
    }],
    ['ADR 0108', 'rate_limited', {
      device: 'none', caller: { sandbox: true }, quota: false,
      asked: { deviceId: 'sandbox-internal' },
    }],
    ['[RTT-12]', 'rate_limited', { quota: false }],
    ['[LOC-01]', 'admitted', {}],
    ['[DEV-06]', 'admitted', { device: 'none', asked: { deviceId: undefined } }],
  ])('%s answers %s to %j', (_row, code, situation) => {
    expect(authorized(situation)).toBe(code);
  });

  it('[GEN-70] asks a carrier above its limit to wait until that is full again', () => {
    const waitOf = (resetSeconds: number): unknown => createAuthorizeCaller({
      clientIdRequired: false,
    })(OPERATION, {
      ...GOOD_FACTS,
      quota: { of: 'client-notifications', allowed: false, limit: 2_000, remaining: 0, resetSeconds },
    }, ASKED);
    expect(waitOf(4)).toMatchObject({
      code: 'rate_limited', retryAfterSeconds: 4, detail: expect.stringContaining('4 s') as string,
    });
    expect(waitOf(0)).toMatchObject({ retryAfterSeconds: 1 });
  });

  it('[RTT-11] refuses names of another form even when the caller has them', () => {
    const pattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;
    for (const provider of ['a', '0_-', 'a'.repeat(64), 'a'.repeat(65), 'A', '-a', 'a b', '']) {
      const expected = pattern.test(provider) ? 'admitted' : 'provider_not_allowed';
      const situation = { caller: { providers: [provider] }, asked: { params: { provider } } };
      expect(authorized(situation), provider).toBe(expected);
    }
  });

  it('checks in one order: a caller that fails several checks gets the first code', () => {
    const worst: Situation = {
      caller: { audience: 'revoke', scopes: [], providers: [] }, device: 'none', quota: false,
      clientIdRequired: true,
    };
    expect(authorized(worst)).toBe('wrong_audience');
    const good = { audience: 'rtt' };
    expect(authorized({ ...worst, caller: { ...good, scopes: [], providers: [] } }))
      .toBe('insufficient_scope');
    const scoped = { ...good, scopes: ['rtt:locations'], providers: [] };
    expect(authorized({ ...worst, caller: scoped })).toBe('client_id_required');
    expect(authorized({ ...worst, caller: scoped, clientIdRequired: false }))
      .toBe('provider_not_allowed');
    const provided = { ...scoped, providers: ['acme'] };
    expect(authorized({ ...worst, caller: provided, clientIdRequired: false }))
      .toBe('device_not_allowed');
  });

  it('[GEN-28] opens an operation with its own scope only', () => {
    const scopes = [
      'rtt:devices', 'rtt:locations', 'rtt:events', 'tracking:push', 'tracking:read',
      'authorizations', 'query:read', 'rtt:commands', 'admin', 'pii:read', 'platform:read',
      'platform:write',
    ];
    for (const scope of scopes) {
      for (const held of scopes) {
        const code = authorized({ operation: { scope }, caller: { scopes: [held] } });
        expect(code).toBe(scope === held ? 'admitted' : 'insufficient_scope');
      }
    }
  });

  it.each<[string, Situation]>([
    ['admitted', {}],
    ['admitted', { asked: { params: { provider: 'other' } } }],
    ['provider_not_allowed', { asked: { params: { provider: '../../admin' } } }],
    ['admitted', { clientIdRequired: true }],
    ['client_id_mismatch', { asked: { clientIdHeader: '100000000000043' } }],
    ['insufficient_scope', { caller: { audience: 'platform', scopes: ['platform:write'] } }],
    ['insufficient_scope', { caller: { audience: 'platform', scopes: ['rtt:commands'] } }],
    ['wrong_audience', {
      caller: { audience: 'rtt', scopes: ['platform:read'] }, operation: { audience: 'platform' },
    }],
    ['wrong_audience', { operation: { platformScope: undefined } }],
    ['rate_limited', { quota: false }],
  ])('[PLT-01] answers %s to the platform, which may name any provider: %j', (code, situation) => {
    const caller = { audience: 'platform', scopes: ['platform:read'], providers: [] };
    const operation = { scope: 'rtt:commands', platformScope: 'platform:read' };
    const asked = { deviceId: undefined, params: { provider: 'acme' } };
    expect(authorized({
      device: 'none', ...situation, caller: { ...caller, ...situation.caller as object },
      operation: { ...operation, ...situation.operation }, asked: { ...asked, ...situation.asked },
    })).toBe(code);
  });

  it('asks for the audience alone where the scope is any', () => {
    const operation = { scope: 'any', audience: 'revoke', needsCountry: false };
    expect(authorized({ operation, caller: { audience: 'revoke', scopes: [] } })).toBe('admitted');
    expect(authorized({ operation, caller: { scopes: [] } })).toBe('wrong_audience');
  });
});
