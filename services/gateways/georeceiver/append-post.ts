import type { Answer, Call } from '../../kernel/http.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import type { AcceptedResponse, SuccessResponse } from '../../../schemas/generated/types.ts';

/** What sending data needs from outside. */
export interface PostPorts {
  readonly log: RecordLog;
  readonly ids: Ids;
}

/** One accepted call, ready for the log. */
export interface Post {
  readonly topic: string;
  readonly key: string;
  readonly value: Uint8Array;
  /** Rows that the value becomes, at least one; batches of workers are measured by it. */
  readonly rows: number;
  /** Transport that the post is about; empty when it is about none. */
  readonly transport: string;
}

/** A call that sends data for a provider in a country. */
export type DataCall = Call<'bearer', unknown, 'provider' | 'country_id'>;

/** The success bodies of the data endpoints, as the samples of the interface show them. */
export const ACCEPTED: AcceptedResponse = { status: 202, message: 'Accepted' };

/** Body of the events endpoints: HTTP 202 all the same (decisions.md, Events endpoints). */
export const SUCCESS: SuccessResponse = { status: 200, message: 'success' };

/**
 * Appends one post and answers 202 with its Ingest-Id once the log has it. Who sent it, for which
 * provider and country, comes from admission and never from the body (contract GEN-16).
 */
export async function appendPost(
  ports: PostPorts, call: DataCall, post: Post, body: AcceptedResponse | SuccessResponse,
): Promise<Answer> {
  const ingestId = ports.ids.ingestId();
  const { topic, key, value, rows, transport } = post;
  const headers = {
    'ingest-id': ingestId,
    'received-at': String(call.receivedAtMs),
    client: call.caller.clientId,
    provider: call.params.provider,
    country: call.query.country_id,
    epoch: String(call.device?.epoch ?? 0),
    transport,
    n: String(rows),
  };
  // The deadline counts from admission: a process that stalled in between must not act on an
  // "active" that it saw long ago, and the log takes nothing after it (architecture.md, Admission).
  await ports.log.append({ topic, key, value, headers }, call.deadlineMs);
  return { kind: 'answer', status: 202, body, headers: { 'Ingest-Id': ingestId } };
}
