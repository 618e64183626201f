import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { LocationsBody } from '../../../../schemas/generated/types.ts';
import type { Operation } from '../../../kernel/http.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { ACCEPTED, appendPost, type AppendPorts } from '../append-post.ts';

/**
 * `POST …/georeceiver/{provider}/locations`: the locations of one device, all or none (interface,
 * 9). Appends and answers: what was admitted goes to the log, and 202 says that it is there.
 */
export function sendLocations(ports: AppendPorts): Operation {
  return {
    ...fromCatalog('send-locations'),
    errors: problemErrors,
    admissionOf: ({ body }) => {
      const { device_id, locations } = body as LocationsBody;
      return { deviceId: device_id, locations: locations.length };
    },
    async handle(call) {
      const { device_id, locations } = call.body as LocationsBody;
      return appendPost(ports, call, {
        topic: TOPICS.locations.name,
        key: device_id,
        value: call.canonical,
        rows: locations.length,
        transport: call.device?.transportId ?? '',
      }, ACCEPTED);
    },
  };
}
