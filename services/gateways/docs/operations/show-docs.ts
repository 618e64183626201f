import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { pageHeaders } from '../html-page.ts';
import { interfacePage } from '../interface-page.ts';
import type { OpenApi } from '../openapi.ts';

/**
 * `GET /docs/api`: the document as a page to read; also `GET /docs`, where the documentation was
 * not built (`find-page.ts`).
 */
export function showDocs(document: OpenApi): readonly Operation[] {
  const text = interfacePage(document);
  const headers = pageHeaders();
  return (['show-docs', 'show-interface'] as const).map((id) => defineOperation(id, {
    errors: problemErrors,
    handle: async () => (
      { kind: 'text', status: 200, contentType: 'text/html; charset=utf-8', text, headers }
    ),
  }));
}
