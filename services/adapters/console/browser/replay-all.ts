import type { DeadLetterReplay } from '../../../../schemas/generated/types.ts';
import { ask, type GatewayReply } from './ask.ts';

/** A replay that was planned. */
export interface AskedReplay {
  readonly address: string;
  readonly plan: DeadLetterReplay;
  readonly reason: string;
  readonly leaving: AbortSignal;
}

/** How it ended: all of it is done unless a refusal says why not. */
export interface ReplayedAll {
  readonly done: number;
  readonly refusal?: Refusal;
}

type Refusal = Extract<GatewayReply<never>, { readonly ok: false }>;

/** Calls in a row that bring nothing on; each wait is longer than the one before. */
const TRIES_MAX = 8;
const WAIT_MS = 500;

/** Repeats the call until nothing remains; a call that got no answer is repeated as it was. */
export async function replayAll(
  { address, plan, reason, leaving }: AskedReplay, onProgress: (done: number) => void,
): Promise<ReplayedAll> {
  const { signature, until, remaining: planned } = plan;
  const init = {
    method: 'POST', signal: leaving, headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signature, until, reason }),
  };
  let left = planned;
  for (let tries = 0; ;) {
    const reply = await ask<DeadLetterReplay>(address, init).catch(() => undefined);
    if (reply === undefined) return { done: planned - left };
    if (!reply.ok && !isPassing(reply)) return { done: planned - left, refusal: reply };
    const before = left;
    if (reply.ok) left = Math.min(left, reply.body.remaining);
    onProgress(planned - left);
    if (reply.ok && !reply.body.has_more) return { done: planned - left };
    tries = left < before ? 0 : tries + 1;
    if (tries > TRIES_MAX) {
      const refusal = reply.ok
        ? { ok: false, status: 0, code: 'no_progress', detail: 'Nothing more is put back.' } as const
        : reply;
      return { done: planned - left, refusal };
    }
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, WAIT_MS * tries));
  }
}

/** No answer, an outage, or a limit. */
function isPassing({ status }: Refusal): boolean {
  return status === 0 || status === 429 || status >= 500;
}
