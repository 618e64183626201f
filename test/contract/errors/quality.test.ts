import { describe, expect, it } from 'vitest';
import { EDGE_TOKEN } from '../../support/edge.ts';
import { faultsOfQuality, unshownNames } from './quality.ts';
import type { SaidAnswer } from './read-answer.ts';

const good: SaidAnswer = {
  status: 400, code: 'validation_failed', type: '/problems/validation_failed',
  detail: '/a must be a number, not a string.', headers: {}, whole: '',
  faults: [{ pointer: '/a', code: 'type', message: 'must be a number, not a string.' }],
};
const fault = (code: string, message: string): Partial<SaidAnswer> => (
  { faults: [{ pointer: '/a', code, message }] }
);

describe('the rules of wrong calls', () => {
  it('take an answer that keeps them', () => {
    expect(faultsOfQuality(good)).toEqual([]);
  });

  it.each<[string, Partial<SaidAnswer>]>([
    ['a raw regular expression', fault('pattern', 'must match ^[0-9]+$.')],
    ['a raw regular expression', { detail: 'country_id must be like [A-Z]{2}.' }],
    ['no sentence', { detail: 'bad request' }],
    ['names no member', { faults: [] }],
    ['does not say enough', fault('type', 'must be a number.')],
    ['does not say enough', fault('max_length', 'must have at most 255 characters.')],
    ['no pointer', { faults: [{ pointer: 'a', code: 'x', message: 'is wrong.' }] }],
    ['is not named', { status: 403, code: 'invalid_token', detail: 'A valid token is needed.' }],
    ['is not named', { status: 403, code: 'wrong_audience', detail: 'The audience is another.' }],
    ['is not named', { status: 401, code: 'unauthorized', detail: 'Not allowed.' }],
    ['without Allow', { status: 405, code: 'method_not_allowed', detail: 'Not with GET.' }],
    ['without Retry-After', { status: 429, code: 'rate_limited', detail: 'Wait.' }],
    ['a secret is repeated', { whole: `The token ${EDGE_TOKEN} is wrong.` }],
    ['too long to be read', { detail: `${'x'.repeat(701)}.` }],
  ])('find %s', (rule, change) => {
    expect(faultsOfQuality({ ...good, ...change }).join('\n')).toContain(rule);
  });

  it('find a name that was meant and is not shown', () => {
    const silent = { ...good, ...fault('required', 'is mandatory.'), detail: '/a is mandatory.' };
    expect(unshownNames({ A: 1 }, silent)).toEqual(['A']);
    expect(unshownNames({ A: 1 }, { ...silent, detail: '/a is mandatory; rename A.' })).toEqual([]);
  });
});
