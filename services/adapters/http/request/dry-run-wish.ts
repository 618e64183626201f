import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Refusal } from '../../../kernel/http.ts';
import { nearName } from '../../../kernel/near-name.ts';

/** Names by which other interfaces are asked for a dry run. */
const QUERY_NAMES = ['dry_run', 'dry'];
const PREFER = /\bdry/i;
/** Who sends one of these wishes none: a library may write the parameter into every call. */
const NO_WISH = /^(?:false|0|no|off)$/i;

/** Whether wishes concern an operation: it has a dry run, or is one. */
export function knowsDryRuns(
  { hasDryRun, isDryRun }: Pick<Operation, 'hasDryRun' | 'isDryRun'>,
): boolean {
  return hasDryRun === true || isDryRun === true;
}

/**
 * The refusal of a parameter that wishes a dry run: it has an address of its own, so that no lost
 * or misspelt wish stores anything (ADR 0093).
 */
export function dryRunInQuery(name: string, value: string): Refusal | undefined {
  if (NO_WISH.test(value) || nearName(name, QUERY_NAMES) === undefined) return undefined;
  return refused(`/query/${QUERY_NAMES[0] ?? ''}`, 'a parameter');
}

/**
 * The refusal of a header that wishes one. Other preferences are ignored, as RFC 7240 has it. It
 * walks over the names that are there, which costs less than to ask for each that may be.
 */
export function dryRunInHeaders(headers: IncomingHttpHeaders): Refusal | undefined {
  for (const name in headers) {
    switch (name) {
      case 'dry-run':
      case 'x-dry-run':
      case 'dryrun':
      case 'x-dryrun':
      case 'dry_run':
        if (!NO_WISH.test(String(headers[name]))) return refused(`/header/${name}`, 'a header');
        break;
      case 'prefer':
        if (PREFER.test(String(headers.prefer))) return refused('/header/prefer', 'a header');
    }
  }
  return undefined;
}

function refused(pointer: string, what: string): Refusal {
  const message = `A dry run is not asked for by ${what}: send the same call to its own address, which`
    + ' ends in /dry_run. Nothing was stored.';
  return {
    code: 'invalid_parameter', detail: message,
    errors: [{ pointer, code: 'invalid_parameter', message }],
  };
}
