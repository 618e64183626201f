import { describe, expect, it } from 'vitest';
import { validatorOf } from './validators.ts';

const AUDIENCES = [
  'authorizations', 'tracking-pull', 'agencies', 'booking', 'logistic-feed', 'handling-unit', 'rtt',
  'fiscal-info', 'revoke', 'coverage',
];
const grant = { grant_type: 'client_credentials' };

describe('the bodies of the token endpoints', () => {
  const request = validatorOf('TokenRequest');

  it.each(AUDIENCES)('[TOK-03] takes the audience %s', (audience) => {
    expect(request({ ...grant, audience })).toEqual([]);
  });

  it('[PLT-01] takes the audience of the platform itself', () => {
    expect(request({ ...grant, audience: 'platform' })).toEqual([]);
  });

  it('[TOK-03] refuses a missing, an unknown and a misspelt audience', () => {
    expect(request(grant)).toEqual(['/audience required']);
    expect(request({ ...grant, audience: 'billing' })).toEqual(['/audience enum']);
    expect(request({ ...grant, audience: 'RTT' })).toEqual(['/audience enum']);
    expect(request({ ...grant, audience: ['rtt'] })).toContain('/audience type');
  });

  it('[TOK-04] takes the grant client_credentials only', () => {
    expect(request({ audience: 'rtt' })).toEqual(['/grant_type required']);
    expect(request({ audience: 'rtt', grant_type: 'password' })).toEqual(['/grant_type const']);
  });

  it('[TOK-09] tolerates credentials in the body as unknown fields', () => {
    const body = { ...grant, audience: 'rtt', client_id: 'x', client_secret: 'y' };
    expect(request(body)).toEqual([]);
    expect(request({ ...grant, audience: 'rtt', m: 1 })).toEqual([' not']);
  });

  it('[TOK-01] [TOK-02] answers exactly a bearer token of 21600 seconds', () => {
    const response = validatorOf('TokenResponse');
    const token = { access_token: 't', token_type: 'Bearer', expires_in: 21600 };
    expect(response(token)).toEqual([]);
    expect(response({ ...token, token_type: 'bearer' })).toEqual(['/token_type const']);
    expect(response({ ...token, expires_in: 21599 })).toEqual(['/expires_in const']);
    expect(response({ ...token, scopes: 'x' })).toEqual([' additionalProperties']);
  });

  it('[TOK-25] takes the fields that OAuth libraries add, and may answer with scopes', () => {
    const body = { ...grant, audience: 'rtt', scope: 'rtt:locations', resource: 'urn:x' };
    expect(request(body)).toEqual([]);
    const token = { access_token: 't', token_type: 'Bearer', expires_in: 21600, scope: 'a b' };
    expect(validatorOf('TokenResponse')(token)).toEqual([]);
  });

  it('[TOK-21] needs a token to revoke', () => {
    const revoke = validatorOf('RevokeRequest');
    expect(revoke({ token: 't' })).toEqual([]);
    expect(revoke({})).toEqual(['/token required']);
    expect(revoke({ token: '' })).toEqual(['/token minLength']);
    expect(revoke({ token: 't', token_type_hint: 'access_token' })).toEqual([]);
  });

  it('[TOK-16] [TOK-22] answers a revocation with OK, FAILED or ERROR', () => {
    const failure = validatorOf('RevokeFailure');
    expect(validatorOf('RevokeResponse')({ status: 'OK' })).toEqual([]);
    expect(failure({ status: 'FAILED', message: 'm' })).toEqual([]);
    expect(failure({ status: 'ERROR', message: 'm' })).toEqual([]);
    expect(failure({ status: 'OK', message: 'm' })).toEqual(['/status enum']);
    expect(failure({ status: 'FAILED' })).toEqual(['/message required']);
  });

  it('[TOK-10] adds error and error_description to the common error body', () => {
    const [plain, token] = [validatorOf('ProblemDetails'), validatorOf('TokenProblemDetails')];
    const problem = {
      type: 'about:blank', title: 'Bad Request', status: 400, detail: 'd', instance: 'urn:x:1',
      message: 'd', code: 'validation_failed', errors: [], request_id: 'r',
    };
    expect(plain(problem)).toEqual([]);
    expect(token(problem)).toEqual(['/error required', '/error_description required']);
    const named = { ...problem, error: 'invalid_request', error_description: 'd' };
    expect(token(named)).toEqual([]);
    expect(plain(named)).toEqual([' additionalProperties', ' additionalProperties']);
  });
});
