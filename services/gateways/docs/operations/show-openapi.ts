import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';

/**
 * `GET /openapi.json`: the document of the whole interface, byte for byte as it was generated. Its
 * limits of 64 bits would not outlive being parsed.
 */
export function showOpenapi(text: string): Operation {
  return defineOperation('show-openapi', {
    errors: problemErrors,
    handle: async () => (
      { kind: 'text', status: 200, contentType: 'application/json', text }
    ),
  });
}
