import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { LocationsBody } from '../../../../schemas/generated/types.ts';
import type { ScanBody, ScannedBody } from '../../../kernel/body-scanner.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { ACCEPTED, appendPost, type PostPorts } from '../append-post.ts';

type Summary = Omit<ScannedBody, 'canonical'>;

/**
 * `POST …/georeceiver/{provider}/locations`: the locations of one device, all or none (interface,
 * 9). Appends and answers: what was admitted goes to the log, and 202 says that it is there. With a
 * scanner most bodies are never parsed.
 */
export function sendLocations(ports: PostPorts, scan?: ScanBody): Operation {
  return defineOperation<'send-locations', Summary>('send-locations', {
    errors: problemErrors,
    summary: { scan, summarize: (body) => summaryOf(body as LocationsBody) },
    admissionOf: ({ deviceId, items }) => ({ deviceId, locations: items }),
    handle(call) {
      const { deviceId, items } = call.body;
      return appendPost(ports, call, {
        topic: TOPICS.locations.name,
        key: deviceId,
        value: call.canonical,
        rows: items,
        transport: call.device?.transportId ?? '',
      }, ACCEPTED);
    },
  });
}

function summaryOf({ device_id, locations }: LocationsBody): Summary {
  return { deviceId: device_id, items: locations.length };
}
