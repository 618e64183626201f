import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { docsPage } from '../docs-page.ts';
import { pageHeaders } from '../html-page.ts';
import type { OpenApi } from '../openapi.ts';

/** `GET /docs`: the document as a page to read. */
export function showDocs(document: OpenApi): Operation {
  const text = docsPage(document);
  const headers = pageHeaders();
  return defineOperation('show-docs', {
    errors: problemErrors,
    handle: async () => (
      { kind: 'text', status: 200, contentType: 'text/html; charset=utf-8', text, headers }
    ),
  });
}
