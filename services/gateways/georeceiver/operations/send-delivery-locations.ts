import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { Answer, FieldError, Operation } from '../../../kernel/http.ts';
import { LISTED_FAULTS_MAX } from '../../../kernel/limits.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { problemErrors } from '../../common/problem.ts';
import { ACCEPTED, appendPost, type PostPorts } from '../append-post.ts';
import { explainShared } from '../explain-shared.ts';
import { countRows, driverOf, normalizeDelivery } from '../../../domain/delivery/normalize.ts';

/**
 * `POST …/georeceiver/proximity/{provider}/locations`: where the traceables of a driver are
 * (interface, 12). The driver's device is not registered; a call is charged for every pair of
 * location and traceable, because each is a row.
 */
export function sendDeliveryLocations(ports: PostPorts): Operation {
  return defineOperation('send-delivery-locations', {
    errors: problemErrors,
    explain: explainShared,
    admissionOf: (body) => ({ locations: countRows(body) }),
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: PostPorts, call: CallOf<'send-delivery-locations'>,
): Promise<Answer> {
  const normalized = normalizeDelivery(call.body);
  if (normalized.kind === 'contradiction') return contradiction(normalized.faults);
  const { body, isChanged } = normalized;
  const { external_type, external_id } = driverOf(body, body.locations[0]);
  return appendPost(ports, call, {
    topic: TOPICS.deliveryLocations.name,
    // A body of several drivers stays one record, so that the log never holds half a call.
    key: `${call.params.provider}|${external_type}|${external_id}`,
    value: isChanged ? Buffer.from(JSON.stringify(body)) : call.canonical,
    rows: countRows(body),
    transport: '',
  }, ACCEPTED);
}

function contradiction(faults: readonly FieldError[]): Answer {
  const [first] = faults;
  return {
    kind: 'refusal',
    code: 'validation_failed',
    detail: `${first?.pointer ?? ''} ${first?.message ?? ''}`,
    errors: faults.slice(0, LISTED_FAULTS_MAX),
  };
}
