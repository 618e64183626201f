import type { Answer } from '../../kernel/http.ts';
import { nearName } from '../../kernel/near-name.ts';
import { renamed } from '../../kernel/renamed.ts';

/** Items of a page, unless the caller asks for another number; and the most it may ask for. */
export const PAGE_ITEMS = { usual: 100, max: 500 } as const;

const LIMIT = /^[1-9]\d{0,2}$/;

/** Reads the size of a page; undefined when it is not from 1 to {@link PAGE_ITEMS}`.max`. */
export function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return PAGE_ITEMS.usual;
  return LIMIT.test(text) && Number(text) <= PAGE_ITEMS.max ? Number(text) : undefined;
}

/** The answer to a parameter of the query that cannot be used. */
export function badParameter(name: string, message: string): Answer {
  return {
    kind: 'refusal',
    code: 'invalid_parameter',
    detail: message,
    errors: [{ pointer: `/query/${name}`, code: 'invalid_parameter', message }],
  };
}

/** The answer to a parameter that is none of its values, with the one that was meant. */
export function badChoice(name: string, sent: string, values: readonly string[]): Answer {
  return badParameter(name, `${name} must be one of ${values.join(', ')}.${meantBy(sent, values)}`);
}

/** The same for a list of values of which one is none, or none at all, or one stands twice. */
export function badChoices(name: string, wrong: string, values: readonly string[]): Answer {
  const message = `${name} must be some of ${values.join(', ')}, divided by commas, each once.`;
  return badParameter(name, message + meantBy(wrong, values));
}

function meantBy(sent: string, values: readonly string[]): string {
  const meant = nearName(sent, values);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** The answer where none of the parameters was sent of which one is mandatory. */
export function missingParameter(
  name: string, message: string, query: Readonly<Record<string, string>>,
): Answer {
  const detail = `${message}${renamed(query, name)}.`;
  return {
    kind: 'refusal', code: 'missing_parameter', detail,
    errors: [{ pointer: `/query/${name}`, code: 'missing_parameter', message: detail }],
  };
}

/** The answer to a `limit` that {@link readLimit} does not know. */
export function badLimit(): Answer {
  return badParameter('limit', `limit must be a number from 1 to ${PAGE_ITEMS.max}.`);
}

/** The answer to a `cursor` that was not given out for this page. */
export function badCursor(): Answer {
  return badParameter('cursor', 'cursor must be the next_cursor of the page before.');
}

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME_CHARACTERS_MAX = 255;

/** The answer to the first of these filters that nothing can match, by the form of its names. */
export function badFilter(
  query: Readonly<Record<string, string>>, filters: readonly string[],
): Answer | undefined {
  for (const name of filters) {
    const text = query[name];
    if (text === undefined) continue;
    if (name === 'provider' && !PROVIDER.test(text)) {
      return badParameter(name, 'provider must be the name of a provider in lower case, such as acme-1.');
    }
    if (text === '' || Array.from(text).length > NAME_CHARACTERS_MAX) {
      return badParameter(name, `${name} must have 1 to ${NAME_CHARACTERS_MAX} characters.`);
    }
  }
  return undefined;
}
