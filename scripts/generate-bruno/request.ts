import { isJsonObject } from '../../schemas/files.ts';
import { file, pairs, text, words, type Pair } from './bru-text.ts';
import type { DocumentCall, Success } from './document.ts';
import type { StoryStep } from './story.ts';
import { bodyText, formValue, valuesOf, type BodyVariables } from './values.ts';

/** Tag of requests whose answer has no end: a run leaves them out, the app shows them. */
export const ENDLESS = 'endless';

const STREAM = 'text/event-stream';
const FORM = 'application/x-www-form-urlencoded';
/** The audience whose token every request has unless it says another. */
export const USUAL_TOKEN = 'token_rtt';
const MEMBERS_MAX = 2;
/** Members whose value the document promises, and not only their type. */
const CONSTANT = ['status', 'message', 'token_type', 'dry_run', 'stored'];

/** True where the answer is a stream of events without an end. */
export function isEndless({ success }: DocumentCall): boolean {
  return success.type === STREAM;
}

/** The file of one request. */
export function requestFile(
  operation: DocumentCall, step: StoryStep, seq: number, variables: BodyVariables,
): string {
  const { method, body, success } = operation;
  const values = valuesOf(operation, step);
  const of = (kind: string): readonly Pair[] => values.filter(({ in: where }) => where === kind)
    .map(({ name, value, isOffered }) => [name, value, isOffered]);
  const { mode, block } = authOf(operation, step);
  const bodyMode = body === undefined ? 'none' : body.type === FORM ? 'formUrlEncoded' : 'json';
  return file(
    pairs('meta', [
      ['name', step.again ?? operation.id], ['type', 'http'], ['seq', String(seq)],
      ...(isEndless(operation) ? [['tags', words([ENDLESS])] as const] : []),
    ]),
    pairs(method, [['url', urlOf(operation, step)], ['body', bodyMode], ['auth', mode]]),
    pairs('params:query', of('query')),
    pairs('params:path', of('path')),
    pairs('headers', of('header')),
    block,
    bodyOf(operation, step, variables),
    isEndless(operation) ? '' : pairs('vars:post-response', Object.entries(step.keep ?? {})),
    isEndless(operation) ? '' : pairs('assert', checksOf(success)),
    step.waits === true ? text('script:pre-request', waiting(operation, step)) : '',
    text('script:post-response', (step.after ?? []).join('\n')),
    text('docs', [
      ...(step.again === undefined ? [] : [`${step.because ?? ''}\n`]),
      `## ${operation.summary}\n`, operation.description,
      ...values.map(({ name, description }) => `- \`${name}\`: ${description}`),
    ].join('\n')),
  );
}

function urlOf(operation: DocumentCall, step: StoryStep, isWhole = false): string {
  const values = valuesOf(operation, step);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (
    isWhole ? values.find((each) => each.name === name)?.value ?? '' : `:${name}`
  ));
  const query = values.filter((each) => each.in === 'query' && !each.isOffered)
    .map(({ name, value }) => `${name}=${value}`).join('&');
  const origin = operation.security === 'provider_token' ? '{{provider_url}}' : '{{url}}';
  return `${origin}${path}${query === '' ? '' : `?${query}`}`;
}

function authOf(
  operation: DocumentCall, step: StoryStep,
): { readonly mode: string; readonly block: string } {
  if (operation.security === undefined) return { mode: 'none', block: '' };
  if (operation.security === 'basic') {
    const who = step.as ?? 'client';
    const block = pairs('auth:basic', [
      ['username', `{{${who}_id}}`], ['password', `{{${who}_secret}}`],
    ]);
    return { mode: 'basic', block };
  }
  const token = tokenOf(operation, step);
  return token === USUAL_TOKEN
    ? { mode: 'inherit', block: '' }
    : { mode: 'bearer', block: pairs('auth:bearer', [['token', `{{${token}}}`]]) };
}

function tokenOf({ security, audience = '' }: DocumentCall, { as }: StoryStep): string {
  if (security === 'provider_token') return 'provider_token';
  return as ?? `token_${audience.replaceAll('-', '_')}`;
}

function bodyOf(operation: DocumentCall, step: StoryStep, variables: BodyVariables): string {
  const { body } = operation;
  if (body === undefined) return '';
  if (body.type !== FORM) return text('body:json', bodyText(operation, step, variables));
  const fields = Object.entries({ ...body.example, ...step.body });
  return pairs('body:form-urlencoded', fields.map(([name, value]) => (
    [name, formValue(value, variables)]
  )));
}

/** The documented status, and the type of the first members that an answer must have. */
function checksOf({ status, headers, example, required }: Success): readonly Pair[] {
  const members = isJsonObject(example) ? Object.entries(example) : [];
  const checked = members.filter(([name]) => required.includes(name)).slice(0, MEMBERS_MAX);
  return [
    ['res.status', `eq ${status}`],
    ...(headers.includes('Ingest-Id') ? [['res.headers["ingest-id"]', 'isString'] as const] : []),
    ...checked.map(([name, value]) => [`res.body.${name}`, checkOf(name, value)] as const),
  ];
}

function checkOf(name: string, value: unknown): string {
  if (CONSTANT.includes(name)) return `eq ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  if (Array.isArray(value)) return 'isArray';
  if (typeof value === 'object') return 'isJson';
  return { string: 'isString', number: 'isNumber', boolean: 'isBoolean' }[typeof value as 'string'];
}

/**
 * Asks until the platform knows what an earlier request sent, at most for half a minute. After a
 * 5xx too, which the interface says to repeat.
 */
function waiting(operation: DocumentCall, step: StoryStep): string {
  return `// What was sent a moment ago may still be unknown (404): ask until it is not.
// After a 500 the interface says to repeat.
const call = {
  method: "${operation.method.toUpperCase()}",
  url: bru.interpolate("${urlOf(operation, step, true)}"),
  headers: { Authorization: bru.interpolate("Bearer {{${tokenOf(operation, step)}}}") },
};
for (let tries = 0; tries < 60; tries += 1) {
  let status;
  await bru.sendRequest(call, (error, answer) => { status = (error ?? answer).status; });
  if (status !== 404 && status < 500) break;
  await bru.sleep(500);
}`;
}
