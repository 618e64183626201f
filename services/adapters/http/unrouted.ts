import type { IncomingMessage, ServerResponse } from 'node:http';
import { CODES } from '../../kernel/codes.ts';
import type { Refusal } from '../../kernel/http.ts';
import type { HttpConfig, HttpPorts } from './ports.ts';
import { discardRest } from './request/discard-rest.ts';
import { requestIdOf } from './request/headers.ts';
import { writeAnswer } from './write-answer.ts';

/** Answers of calls that no operation answers. */
export interface Unrouted {
  refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void;
  /** For what was thrown where nothing may throw: 500, with the reason in the log alone. */
  defect(request: IncomingMessage, response: ServerResponse, error: unknown): void;
}

/** Makes what answers where no operation does, in the form of the paths that none owns. */
export function createUnrouted(ports: HttpPorts, config: HttpConfig): Unrouted {
  const { signals, errors, ids } = ports;

  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const requestId = requestIdOf(request, () => ids.nonce());
    const written = writeAnswer(response, errors, { kind: 'refusal', ...refusal }, {
      requestId, path: request.url ?? '', quota: undefined,
    });
    discardRest(request, config.discardedBytesMax);
    signals.unroutedRequestAnswered({ operation: 'none', ...written });
  }

  return {
    refuse,
    defect(request, response, error) {
      const reason = error instanceof Error ? error.stack ?? error.message : String(error);
      signals.requestCrashed({ operation: 'none', request_id: undefined, reason });
      refuse(request, response, { code: 'internal', detail: CODES.internal.meaning });
    },
  };
}
