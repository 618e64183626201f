import { createHash } from 'node:crypto';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { docsPage } from '../docs-page.ts';
import { PAGE_STYLE } from '../page-style.ts';
import type { OpenApi } from '../openapi.ts';

/**
 * `GET /docs`: the document as a page to read. It is one file without a script, and its policy
 * forbids to load anything at all, from here or elsewhere, but the one style it carries.
 */
export function showDocs(document: OpenApi): Operation {
  const text = docsPage(document);
  const styleDigest = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const headers = {
    'Content-Security-Policy': [
      "default-src 'none'", `style-src 'sha256-${styleDigest}'`, "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
  return defineOperation('show-docs', {
    errors: problemErrors,
    handle: async () => (
      { kind: 'text', status: 200, contentType: 'text/html; charset=utf-8', text, headers }
    ),
  });
}
