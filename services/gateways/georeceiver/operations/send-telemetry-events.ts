import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { appendPost, SUCCESS, type PostPorts } from '../append-post.ts';

/**
 * `POST …/georeceiver/{provider}/telemetry/events`: what happened to one device on the road, all
 * or none (interface, 10). Admitted and charged like its locations, one event like one location.
 */
export function sendTelemetryEvents(ports: PostPorts): Operation {
  return defineOperation('send-telemetry-events', {
    errors: problemErrors,
    admissionOf: ({ device_id, events }) => ({ deviceId: device_id, locations: events.length }),
    async handle(call) {
      const { device_id, events } = call.body;
      return appendPost(ports, call, {
        topic: TOPICS.telemetryEvents.name,
        key: device_id,
        value: call.canonical,
        rows: events.length,
        transport: call.device?.transportId ?? '',
      }, SUCCESS);
    },
  });
}
