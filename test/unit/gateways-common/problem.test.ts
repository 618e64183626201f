import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { CODES, type Code } from '../../../services/kernel/codes.ts';

const codes = Object.keys(CODES) as Code[];
const STATUS = { invalid: 400, denied: 403, refused: 404, throttled: 429, fault: 500, poison: 500 };

describe('the common error body', () => {
  it.each(codes)('[GEN-08] [GEN-10] of %s follows its schema and the table of codes', (code) => {
    const errors = [{ pointer: '/a', code: 'required' as const, message: 'is mandatory.' }];
    const refusal = { code, detail: 'What is wrong.', errors };
    const { status, contentType, body } = problemErrors.write(refusal, 'request-1', '/path');
    expect(contentType).toBe('application/problem+json');
    expect(status).toBe(code === 'method_not_allowed' ? 405 : STATUS[CODES[code].kind]);
    expect(loadedCheck(body)).toBeUndefined();
    expect(body).toMatchObject({
      status, code, detail: 'What is wrong.', message: 'What is wrong.', errors,
      instance: 'urn:rastro:request:request-1', request_id: 'request-1',
    });
  });

  it.each([
    ['invalid_token', 'Bearer error="invalid_token"'],
    ['wrong_audience', 'Bearer error="invalid_token"'],
    ['insufficient_scope', 'Bearer error="insufficient_scope"'],
    ['device_not_allowed', undefined],
    ['validation_failed', undefined],
  ] as const)('[RTT-04] [RTT-06] challenges %s with %s', (code, challenge) => {
    const { headers } = problemErrors.write({ code, detail: 'x' }, 'r', '/');
    expect(headers['WWW-Authenticate']).toBe(challenge);
  });

  it.each(codes)('[RTT-12] [GEN-03] says of %s when to come again, if that may help', (code) => {
    const { headers } = problemErrors.write({ code, detail: 'x' }, 'r', '/');
    const { kind } = CODES[code];
    const expected = kind === 'throttled' ? '300' : kind === 'fault' ? '2' : undefined;
    expect(headers['Retry-After']).toBe(expected);
  });

  it('takes the wait that the refusal names', () => {
    const refusal = { code: 'log_unavailable' as const, detail: 'x', retryAfterSeconds: 4 };
    expect(problemErrors.write(refusal, 'r', '/').headers['Retry-After']).toBe('4');
  });

  it('[LOC-20] lists at most 50 faults', () => {
    const errors = Array.from({ length: 60 }, (_, at) =>
      ({ pointer: `/${at}`, code: 'type' as const, message: 'x' }));
    const refusal = { code: 'validation_failed' as const, detail: 'x', errors };
    const body = problemErrors.write(refusal, 'r', '/').body as { errors: unknown[] };
    expect(body.errors).toHaveLength(50);
  });
});

const loadedCheck = loadSchemas().checkOf('ProblemDetails');
