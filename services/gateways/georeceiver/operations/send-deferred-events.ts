import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { DeferredEventsBody } from '../../../../schemas/generated/types.ts';
import type { TelemetryRequest, TelemetryRequests } from '../../../kernel/commands.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { appendPost, SUCCESS, type PostPorts } from '../append-post.ts';
import { longOf } from '../../../kernel/longs.ts';

/** What taking deferred events needs from outside. */
export interface SendDeferredEventsPorts extends PostPorts {
  readonly telemetryRequests: TelemetryRequests;
}

/**
 * `POST …/georeceiver/{provider}/telemetry/events/deferred`: the answer to a
 * `process_telemetry_events` command (interface, 11). No device is asked for; `id` and
 * `transport_id` must be those of a command to this provider, else 400 (decisions.md).
 */
export function sendDeferredEvents(ports: SendDeferredEventsPorts): Operation {
  return defineOperation('send-deferred-events', {
    errors: problemErrors,
    admissionOf: (body) => ({ locations: rowsOf(body) }),
    async handle(call) {
      const answer = call.body;
      const { id } = answer;
      const transport = String(longOf(answer.transport_id));
      const request = await ports.telemetryRequests.find(call.params.provider, id);
      const refusal = mismatch(answer, request);
      if (refusal !== undefined) return refusal;
      return appendPost(ports, call, {
        topic: TOPICS.deferredEvents.name,
        key: transport,
        value: call.canonical,
        rows: rowsOf(answer),
        transport,
      }, SUCCESS);
    },
  });
}

/** An answer without events is still one: nothing happened during the trip. */
function rowsOf({ events }: DeferredEventsBody): number {
  return Math.max(events.length, 1);
}

/** A command to another provider looks exactly like one that never was. */
function mismatch(
  { transport_id }: DeferredEventsBody, request: TelemetryRequest | undefined,
): Answer | undefined {
  const isTheirs = request !== undefined && longOf(request.transport_id) === longOf(transport_id);
  if (isTheirs) return undefined;
  const [pointer, message] = request === undefined
    ? ['/id', 'is not the id of a process_telemetry_events command to this provider.']
    : ['/transport_id', 'is not the transport of the command with this id.'];
  return {
    kind: 'refusal',
    code: 'telemetry_request_unknown',
    detail: `${pointer} ${message}`,
    errors: [{ pointer, code: 'telemetry_request_unknown', message }],
  };
}
