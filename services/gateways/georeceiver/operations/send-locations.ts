import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { BODY_BYTES_MAX } from '../../../kernel/limits.ts';
import type { OutgoingRecord, RecordLog } from '../../../kernel/record-log.ts';
import type { AcceptedResponse, LocationsBody } from '../../../../schemas/generated/types.ts';
import { problemErrors } from '../../common/problem.ts';

/** What sending locations needs from outside. */
export interface SendLocationsPorts {
  readonly log: RecordLog;
  readonly ids: Ids;
}

const TOPIC = 'rtt.locations.v1';

/**
 * `POST …/georeceiver/{provider}/locations`: the locations of one device, all or none (interface,
 * 9). Appends and answers: what was admitted goes to the log, and 202 says that it is there.
 */
export function sendLocations(ports: SendLocationsPorts): Operation {
  return {
    id: 'sendLocations',
    method: 'POST',
    path: '/shipping/rtt/georeceiver/:provider/locations',
    authentication: 'bearer',
    audience: 'rtt',
    scope: 'rtt:locations',
    bodyKind: 'json',
    bodySchema: 'LocationsBody',
    bodyBytesMax: BODY_BYTES_MAX,
    needsCountry: true,
    errors: problemErrors,
    admissionOf: ({ body }) => {
      const { device_id, locations } = body as LocationsBody;
      return { deviceId: device_id, locations: locations.length };
    },
    handle: (call) => handle(ports, call),
  };
}

async function handle(ports: SendLocationsPorts, call: Call): Promise<Answer> {
  const ingestId = ports.ids.ingestId();
  const { device_id, locations } = call.body as LocationsBody;
  // The deadline counts from admission: a process that stalled in between must not act on an
  // "active" that it saw long ago, and the log takes nothing after it (design.md, Admission).
  await ports.log.append(
    recordOf(call, device_id, ingestId, locations.length), call.deadlineMs,
  );
  const body: AcceptedResponse = { status: 202, message: 'Accepted' };
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': ingestId } };
}

/** Who sent what, for which provider and country, comes from admission and never from the body. */
function recordOf(
  call: Call, deviceId: string, ingestId: string, items: number,
): OutgoingRecord {
  return {
    topic: TOPIC,
    key: deviceId,
    value: call.canonical,
    headers: {
      'ingest-id': ingestId,
      'received-at': String(call.receivedAtMs),
      client: call.caller?.clientId ?? '',
      provider: call.params['provider'] ?? '',
      country: call.query['country_id'] ?? '',
      epoch: String(call.device?.epoch ?? 0),
      transport: call.device?.transportId ?? '',
      n: String(items),
    },
  };
}
