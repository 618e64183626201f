import { parseExact } from './exact-json.ts';

/** The answer to a call: its body, or what the gateway said instead. */
export type GatewayReply<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly detail: string };

/** Calls an operation with the cookie of the session. Status 0: no answer came. */
export async function ask<Body>(
  address: string, init: RequestInit = {},
): Promise<GatewayReply<Body>> {
  try {
    const response = await fetch(address, { ...init, credentials: 'same-origin' });
    const body = parseExact(await response.text());
    return response.ok ? { ok: true, body: body as Body } : refusalOf(response.status, body);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    return { ok: false, status: 0, code: 'no_answer', detail: 'The gateway does not answer.' };
  }
}

/** What a problem body says; both forms of the interface have a message. */
export function refusalOf(status: number, body: unknown): GatewayReply<never> {
  const { code = '', detail, message } = body as {
    readonly code?: string; readonly detail?: string; readonly message?: string;
  };
  return { ok: false, status, code, detail: detail ?? message ?? `status ${status}` };
}
