import type { Problem } from './types.ts';

/** What came back of one try: an answer, or none. */
export type CallAnswer =
  | { readonly kind: 'lost'; readonly reason: string }
  | {
    readonly kind: 'answer'; readonly status: number; readonly headers: Headers;
    readonly text: string;
  };

/** What is done next, decided by the status code alone. */
export type NextTry =
  | { readonly step: 'done' }
  | { readonly step: 'refused'; readonly status: number; readonly problem: Problem }
  | { readonly step: 'renew token' }
  /** `of` is who waits: the limit of one device holds back no other. */
  | { readonly step: 'wait'; readonly ms: number; readonly of: 'device' | 'client' };

/** What happened to a call before this try. */
export interface Tries {
  /** Tries without a final answer, before this one. */
  readonly failures: number;
  readonly isRenewed: boolean;
  readonly isDone: (status: number) => boolean;
  readonly random: number;
  readonly wallMs: number;
}

const FIRST_MS = 500;
const REPEAT_MS_MAX = 60_000;
/** The interface: after a 429 try again after five minutes. */
const LIMITED_MS = 300_000;

/**
 * The interface, Errors: 400 and 403 are never repeated, 429 waits, 500 and a lost answer are
 * repeated without end. A token that ran out is renewed once, for the call is another one then.
 */
export function decideNext(answer: CallAnswer, tries: Tries): NextTry {
  if (answer.kind === 'lost') return { step: 'wait', ms: backOff(tries), of: 'device' };
  const { status, headers } = answer;
  if (tries.isDone(status)) return { step: 'done' };
  const askedMs = retryAfterMs(headers.get('retry-after'), tries.wallMs);
  if (status === 429) {
    const isOfDevice = headers.get('ratelimit')?.startsWith('"device"') === true;
    return { step: 'wait', ms: askedMs ?? LIMITED_MS, of: isOfDevice ? 'device' : 'client' };
  }
  if (isBadToken(status, headers) && !tries.isRenewed) return { step: 'renew token' };
  if (status >= 400 && status < 500 && status !== 408) {
    return { step: 'refused', status, problem: problemOf(answer) };
  }
  // A 2xx or 3xx that the operation does not have is of something between us and the gateway.
  return { step: 'wait', ms: Math.max(askedMs ?? 0, backOff(tries)), of: 'device' };
}

/** RTT calls answer 403 where other operations answer 401; the header names the reason. */
function isBadToken(status: number, headers: Headers): boolean {
  return status === 401
    || (status === 403 && /\binvalid_token\b/.test(headers.get('www-authenticate') ?? ''));
}

/** Doubles up to a minute; the upper half is random. */
function backOff({ failures, random }: Tries): number {
  const full = Math.min(REPEAT_MS_MAX, FIRST_MS * 2 ** Math.min(failures, 20));
  return Math.round(full / 2 + (full / 2) * random);
}

/** The whole wait that was asked for: in seconds, or until a date. */
function retryAfterMs(header: string | null, wallMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallMs);
}

/** The problem of a refusal; another text, of a proxy for example, becomes its detail. */
function problemOf({ status, text }: { readonly status: number; readonly text: string }): Problem {
  const plain = { status, code: `http_${status}`, detail: text.slice(0, 2_048), errors: [] };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...plain, ...value } : plain;
  } catch {
    return plain;
  }
}
