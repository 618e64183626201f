import type { Code } from '../../kernel/codes.ts';
import type { ProviderCommandBody } from '../../kernel/commands.ts';
import { epochMsOf, isDateTime } from '../../kernel/date-time.ts';
import type { Refusal } from '../../kernel/http.ts';

const POINTER = '/query/expires_at';

/**
 * When a command is not sent any more, from the query: the body goes to the provider as it is. One
 * in the past is taken, because a repeat may come late; it is not sent. Without one the deployment
 * says when, or it has none. A stop or a cancellation has no deadline: without it the provider
 * would go on.
 */
export function readDeadline(
  { command }: ProviderCommandBody, text: string | undefined, ownMs: number | undefined,
): { readonly expires_at_ms?: number } | { readonly refusal: Refusal } {
  const mustArrive = command === 'stop_tracking' || command === 'cancel_planned_routes';
  if (text === undefined) {
    return ownMs === undefined || mustArrive ? {} : { expires_at_ms: ownMs };
  }
  if (mustArrive) {
    return refuse('not_allowed', `${command} has no deadline, because without it the provider `
      + 'would go on. Send it without expires_at.');
  }
  const expires_at_ms = isDateTime(text) ? epochMsOf(text) : undefined;
  return expires_at_ms === undefined || expires_at_ms < 0
    ? refuse('invalid_parameter', 'expires_at must be an ISO 8601 date-time with an offset, such '
      + 'as 2025-01-31T10:00:00Z; write + as %2B.')
    : { expires_at_ms };
}

function refuse(code: Code, message: string): { readonly refusal: Refusal } {
  return {
    refusal: { code, detail: message, errors: [{ pointer: POINTER, code, message }] },
  };
}
