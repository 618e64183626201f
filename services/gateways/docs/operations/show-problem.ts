import { CODES, type Code } from '../../../kernel/codes.ts';
import type { Operation } from '../../../kernel/http.ts';
import { nearName } from '../../../kernel/near-name.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { pageHeaders } from '../html-page.ts';
import { problemPage } from '../problem-page.ts';

/** `GET /problems/{code}`: what an error code means; the `type` of a problem is its address. */
export function showProblem(): Operation {
  const pages = new Map(Object.keys(CODES).map((code) => [code, problemPage(code as Code)]));
  const headers = pageHeaders();
  return defineOperation('show-problem', {
    errors: problemErrors,
    async handle({ params }) {
      const text = pages.get(params.code);
      return text === undefined
        ? { kind: 'refusal', code: 'route_not_found', detail: noSuchCode(params.code) }
        : { kind: 'text', status: 200, contentType: 'text/html; charset=utf-8', text, headers };
    },
  });
}

function noSuchCode(code: string): string {
  const meant = nearName(code, Object.keys(CODES));
  return `There is no such error code.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}
