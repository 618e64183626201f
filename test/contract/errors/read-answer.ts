import type { CameAnswer } from './send-call.ts';

/** One fault that an answer lists. */
export interface ListedFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** What an answer says, whatever the form of its body is. */
export interface SaidAnswer {
  readonly status: number;
  /** `code` of a problem, or the `error_code` of an authorization. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The sentence for people. */
  readonly detail: string;
  readonly faults: readonly ListedFault[];
  /** The whole body as it was sent, without the marks of JSON before quotes. */
  readonly whole: string;
  readonly headers: CameAnswer['headers'];
}

interface AnyBody {
  readonly code?: string;
  readonly error_code?: string;
  readonly type?: string;
  readonly detail?: string;
  readonly status_message?: string;
  readonly message?: string;
  readonly errors?: readonly ListedFault[];
}

/** Reads the body of an answer, which is JSON in each of its forms. */
export function readAnswer({ status, headers, text }: CameAnswer): SaidAnswer {
  const body = JSON.parse(text) as AnyBody;
  return {
    status, headers,
    code: body.error_code ?? body.code,
    type: body.type,
    detail: body.detail ?? body.status_message ?? body.message ?? '',
    faults: body.errors ?? [],
    whole: text.replaceAll('\\"', '"'),
  };
}
