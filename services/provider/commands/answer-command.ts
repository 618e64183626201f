import { longOf } from '../../kernel/longs.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ProviderCommandBody } from '../../../schemas/generated/types.ts';
import type { Code } from '../../kernel/codes.ts';
import type { FieldError } from '../../kernel/http.ts';
import type { SchemaCheck } from '../../kernel/schemas.ts';
import type { Fleet } from '../replay/fleet.ts';
import type { DeferredAnswers } from './deferred-answers.ts';
import type { PlannedRoutes } from './planned-routes.ts';

/** An answer of `/rtt/commands`, ready to be written. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers one command call from its Authorization header and parsed body. */
export type AnswerCommand = (authorization: string | undefined, body: unknown) => CommandAnswer;

/** The tokens that the provider knows. */
export interface CommandTokens {
  /** May command. */
  readonly commandToken: string;
  /** Is known, but may not command. */
  readonly otherToken: string | undefined;
}

/** What commands act on. */
export interface CommandPorts {
  readonly fleet: Pick<Fleet, 'startTransport' | 'stopTransport'>;
  readonly routes: PlannedRoutes;
  readonly deferred: DeferredAnswers;
  /** The schema of the five bodies. */
  readonly check: SchemaCheck;
}

/** Seconds after which the platform should repeat a command that cannot be taken now. */
const RETRY_AFTER_SECONDS = 5;

const SUCCESS: CommandAnswer = {
  status: 200, body: { status: 200, message: 'success' }, headers: {},
};

/**
 * Endpoint 5: 200 for what was taken, 400 for a bad body, 403 without the right token, 500 when no
 * further device fits. The effect follows the answer; a repeat has none.
 */
export function createAnswerCommand(tokens: CommandTokens, ports: CommandPorts): AnswerCommand {
  return function answerCommand(authorization, body) {
    const denied = denialOf(tokens, authorization);
    if (denied !== undefined) return denied;
    const explain = ports.check(body);
    if (explain !== undefined) {
      const { code, detail, errors } = explain();
      return problem(400, code, detail, errors);
    }
    return take(ports, body as ProviderCommandBody);
  };
}

function denialOf(tokens: CommandTokens, authorization: string | undefined) {
  const presented = /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
  if (presented !== undefined && isSame(presented, tokens.commandToken)) return undefined;
  const { otherToken } = tokens;
  const isKnown = presented !== undefined && otherToken !== undefined
    && isSame(presented, otherToken);
  const code = isKnown ? 'insufficient_scope' : 'invalid_token';
  const detail = isKnown
    ? 'The token of this call may not command.'
    : 'The token of this command is not valid.';
  return problem(403, code, detail, [], { 'www-authenticate': `Bearer error="${code}"` });
}

function take({ fleet, routes, deferred }: CommandPorts, body: ProviderCommandBody): CommandAnswer {
  switch (body.command) {
    case 'start_tracking': {
      const transport = { ...body.transport, id: longOf(body.transport.id) };
      if (fleet.startTransport(transport)) return SUCCESS;
      const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
      return problem(500, 'shutting_down', 'No device can be started now.', [], headers);
    }
    case 'stop_tracking':
      fleet.stopTransport(longOf(body.transport.id));
      return SUCCESS;
    case 'check_planned_routes':
      routes.plan(body.planned_routes);
      return SUCCESS;
    case 'cancel_planned_routes':
      routes.cancel(body.planned_routes);
      return SUCCESS;
    case 'process_telemetry_events':
      deferred.request(body);
      return SUCCESS;
  }
}

/** An RFC 9457 problem as the decisions describe it. */
export function problem(
  status: number, code: Code, detail: string, errors: readonly FieldError[] = [],
  headers: Readonly<Record<string, string>> = {},
): CommandAnswer {
  const body = {
    type: 'about:blank', title: code, status, detail, instance: '/rtt/commands', message: detail,
    code, errors,
  };
  return { status, body, headers: { 'content-type': 'application/problem+json', ...headers } };
}

function isSame(presented: string, expected: string): boolean {
  return timingSafeEqual(digest(presented), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
