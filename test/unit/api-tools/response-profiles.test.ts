import { describe, expect, it } from 'vitest';
import {
  withFullResponses, type CatalogFile, type ResponseRow,
} from '../../../scripts/generate/response-profiles.ts';

const FULL = {
  description: 'Done.', schema: 'Thing', content_type: 'application/json', headers: ['A'],
  codes: ['one'],
};

function filled(
  profiles: Record<string, ResponseRow>, responses: Record<string, ResponseRow | string>,
): object | undefined {
  const file = {
    response_profiles: profiles, operations: [{ id: 'do-it', responses }],
  } as unknown as CatalogFile;
  return withFullResponses(file).operations[0]?.responses;
}

describe('response profiles', () => {
  it('give what a response does not say itself', () => {
    const profiles = { done: FULL, more: { profile: 'done', more_codes: ['two'] } };
    expect(filled(profiles, {
      200: 'done', 201: { profile: 'more', schema: 'Other' }, 202: { ...FULL, codes: [] },
      400: { profile: 'more', more_codes: ['three'] }, 500: { profile: 'more', codes: ['four'] },
    })).toEqual({
      200: FULL, 201: { ...FULL, schema: 'Other', codes: ['one', 'two'] }, 202: { ...FULL, codes: [] },
      400: { ...FULL, codes: ['one', 'two', 'three'] }, 500: { ...FULL, codes: ['four'] },
    });
  });

  it.each([
    ['a profile that is not there', {}, { 200: 'gone' }, 'no response profile gone'],
    ['a profile that refers to itself', { a: { profile: 'a' } }, { 200: 'a' }, 'refers to itself'],
    ['a profile that nothing uses', { a: FULL, b: FULL }, { 200: 'a' }, 'uses the profile b'],
    ['a response that lacks a field', { a: { codes: [] } }, { 200: 'a' },
      'do-it 200 lacks description, schema, content_type, headers'],
  ])('refuse %s', (_, profiles, responses, message) => {
    expect(() => filled(profiles, responses)).toThrow(message);
  });
});
