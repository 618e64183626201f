import { CODES, KIND_ACTIONS, type Code } from '../../kernel/codes.ts';
import { problemErrors } from '../common/problem.ts';
import { escaped, sentence, table } from './html.ts';
import { htmlPage } from './html-page.ts';

/** What a code means, its status in RTT, and what the caller does, as one page of HTML. */
export function problemPage(code: Code): string {
  const { kind, retryable, meaning } = CODES[code];
  const { status } = problemErrors.write({ code, detail: meaning }, '', '');
  return htmlPage(escaped(code), [
    `<h1><code>${escaped(code)}</code></h1>`,
    `<p>${sentence(meaning)}</p>`,
    table(['Question', 'Answer'], [
      // A poisoned record has no caller who could get an answer.
      ['Status (RTT, commands, notifications)', kind === 'poison' ? 'none' : String(status)],
      ['Kind', kind],
      ['The caller', sentence(KIND_ACTIONS[kind])],
      ['Can the same call succeed later?', retryable ? 'yes' : 'no'],
    ]),
    '<p>The whole interface: <a href="/docs/api">on one page</a>.</p>',
  ]);
}
