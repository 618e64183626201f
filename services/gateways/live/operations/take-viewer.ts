import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Answer } from '../../../kernel/http.ts';
import type { StreamLine } from '../../../kernel/stream-line.ts';
import type { LiveFeeds } from '../create-live.ts';

/**
 * Answers with a stream, or says why the caller must wait: the map is not there yet, this copy is
 * going away, or it has as many followers as it may.
 */
export async function takeViewer(
  live: LiveFeeds, caller: AdmittedCaller, contentType: string,
  join: (line: StreamLine) => () => void,
): Promise<Answer> {
  const { clientId } = caller;
  await live.wake();
  switch (live.refuses(clientId)) {
    case 'leaving':
      return { kind: 'refusal', code: 'shutting_down', detail: 'This copy is going away.' };
    case 'not_ready':
      return { kind: 'refusal', code: 'state_not_ready', detail: 'The feed has not begun yet.' };
    case 'full':
      return {
        kind: 'refusal', code: 'capacity_exhausted', retryAfterSeconds: RETRY_AFTER_SECONDS,
        detail: 'This copy has as many followers as it may.',
      };
    case 'client_full':
      return {
        kind: 'refusal', code: 'rate_limited', retryAfterSeconds: RETRY_AFTER_SECONDS,
        detail: 'The client follows as often as it may; end another stream first.',
      };
    case undefined:
      return {
        kind: 'stream', status: 200, contentType,
        begin(line) {
          // Calls of one moment are all answered before the first of them counts; the caller of one
          // too many comes again, and is refused then.
          if (live.refuses(clientId) !== undefined) {
            line.end();
            return () => undefined;
          }
          const letGo = live.admit(clientId, line);
          const leave = join(line);
          return () => {
            leave();
            letGo();
          };
        },
      };
  }
}

const RETRY_AFTER_SECONDS = 10;
