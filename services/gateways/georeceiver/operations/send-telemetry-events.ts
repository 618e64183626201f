import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { TelemetryEventsBody } from '../../../../schemas/generated/types.ts';
import type { Operation } from '../../../kernel/http.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { appendPost, SUCCESS, type AppendPorts } from '../append-post.ts';

/**
 * `POST …/georeceiver/{provider}/telemetry/events`: what happened to one device on the road, all
 * or none (interface, 10). Admitted and charged like its locations, one event like one location.
 */
export function sendTelemetryEvents(ports: AppendPorts): Operation {
  return {
    ...fromCatalog('send-telemetry-events'),
    errors: problemErrors,
    admissionOf: ({ body }) => {
      const { device_id, events } = body as TelemetryEventsBody;
      return { deviceId: device_id, locations: events.length };
    },
    async handle(call) {
      const { device_id, events } = call.body as TelemetryEventsBody;
      return appendPost(ports, call, {
        topic: TOPICS.telemetryEvents.name,
        key: device_id,
        value: call.canonical,
        rows: events.length,
        transport: call.device?.transportId ?? '',
      }, SUCCESS);
    },
  };
}
