import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';

/** `GET /openapi.json`: the document of the whole interface, as it was generated. */
export function showOpenapi(document: unknown): Operation {
  const text = JSON.stringify(document);
  return defineOperation('show-openapi', {
    errors: problemErrors,
    handle: async () => (
      { kind: 'text', status: 200, contentType: 'application/json', text }
    ),
  });
}
