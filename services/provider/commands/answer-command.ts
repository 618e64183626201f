import { createHash, timingSafeEqual } from 'node:crypto';
import type { FieldFault } from '../../kernel/http.ts';
import type { Code } from '../../kernel/codes.ts';
import type { Fleet } from '../replay/fleet.ts';
import { readCommand } from './command.ts';

/** An answer of `/rtt/commands`, ready to be written. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers one command call from its Authorization header and parsed body. */
export type AnswerCommand = (authorization: string | undefined, body: unknown) => CommandAnswer;

/** Seconds after which the platform should repeat a command that cannot be taken now. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Endpoint 5 for start and stop: 200 for what was taken, 400 for a bad body, 403 without the right
 * token, 500 when no further device fits. The effect follows the answer; a repeat has none.
 */
export function createAnswerCommand(commandToken: string, fleet: Fleet): AnswerCommand {
  const expected = digest(commandToken);

  return function answerCommand(authorization, body) {
    const presented = /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
    if (presented === undefined || !timingSafeEqual(digest(presented), expected)) {
      const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
      return problem(403, 'invalid_token', 'The token of this command is not valid.', [], headers);
    }
    const reading = readCommand(body);
    if (reading.kind === 'faults') {
      return problem(400, 'validation_failed', 'The command is not valid.', reading.errors);
    }
    const { command, transport } = reading.body;
    if (command === 'stop_tracking') fleet.stopTransport(transport.id);
    else if (!fleet.startTransport(transport)) {
      const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
      return problem(500, 'shutting_down', 'No device can be started now.', [], headers);
    }
    return { status: 200, body: { status: 200, message: 'success' }, headers: {} };
  };
}

/** An RFC 9457 problem as the decisions describe it. */
export function problem(
  status: number, code: Code, detail: string, errors: readonly FieldFault[] = [],
  headers: Readonly<Record<string, string>> = {},
): CommandAnswer {
  const body = {
    type: 'about:blank', title: code, status, detail, instance: '/rtt/commands', message: detail,
    code, errors,
  };
  return { status, body, headers: { 'content-type': 'application/problem+json', ...headers } };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
