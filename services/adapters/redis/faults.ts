import { ReplyError } from 'ioredis';
import { Unavailable, type Stage } from '../../kernel/unavailable.ts';

// The library exports the class of error replies without a type.
const AnswerError = ReplyError as abstract new () => Error;

/**
 * First words of Redis error replies that pass on their own or by a restart, never by other input.
 * Any other reply is a defect of ours and stays what it is.
 */
const PASSING = new Set([
  'LOADING', 'MASTERDOWN', 'READONLY', 'OOM', 'BUSY', 'MISCONF', 'NOREPLICAS', 'CLUSTERDOWN',
  'TRYAGAIN', 'MOVED', 'ASK', 'UNKILLABLE', 'NOAUTH', 'NOPERM', 'WRONGPASS', 'UNBLOCKED',
]);

/** The first word of a Redis error reply: its code by protocol. Undefined for other errors. */
export function replyCodeOf(error: unknown): string | undefined {
  return error instanceof AnswerError ? error.message.split(' ', 1)[0] : undefined;
}

/**
 * Translates what the client library throws, in this one place: a store that is being rebuilt, a
 * store that does not answer, or a defect, which is handed on unchanged.
 */
export function toFault(error: unknown, stage: Stage, what: string): unknown {
  if (error instanceof Unavailable) return error;
  const code = replyCodeOf(error);
  if (code === 'NOTREADY') {
    return new Unavailable('state_not_ready', stage, `${what}: the state is being rebuilt`, error);
  }
  if (code !== undefined && !PASSING.has(code)) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const detail = error instanceof Error ? error.message : 'no answer';
  return new Unavailable('state_unavailable', stage, `${what}: ${detail}`, error);
}
