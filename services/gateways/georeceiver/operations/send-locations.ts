import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { LocationsBody } from '../../../../schemas/generated/types.ts';
import type { ScanBody } from '../../../kernel/body-scanner.ts';
import type { Operation } from '../../../kernel/http.ts';
import { fromCatalog } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { ACCEPTED, appendPost, type AppendPorts } from '../append-post.ts';

/**
 * `POST …/georeceiver/{provider}/locations`: the locations of one device, all or none (interface,
 * 9). Appends and answers: what was admitted goes to the log, and 202 says that it is there. With a
 * scanner most bodies are never parsed.
 */
export function sendLocations(ports: AppendPorts, scan?: ScanBody): Operation {
  return {
    ...fromCatalog('send-locations'),
    errors: problemErrors,
    scan,
    admissionOf: ({ body }) => {
      const { deviceId, items } = toldBy(body as LocationsBody);
      return { deviceId, locations: items };
    },
    handle(call) {
      const { deviceId, items } = call.scanned ?? toldBy(call.body as LocationsBody);
      return appendPost(ports, call, {
        topic: TOPICS.locations.name,
        key: deviceId,
        value: call.canonical,
        rows: items,
        transport: call.device?.transportId ?? '',
      }, ACCEPTED);
    },
  };
}

function toldBy({ device_id, locations }: LocationsBody): { deviceId: string; items: number } {
  return { deviceId: device_id, items: locations.length };
}
