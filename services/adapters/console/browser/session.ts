import type { BrowserSession } from '../../../kernel/sessions.ts';
import { ask, type GatewayReply } from './ask.ts';

const ADDRESS = '/console/session';
/** The projector may not have a link that was made a moment ago. */
const LINK_WAITS_MS = [500, 1_000, 2_000, 4_000];

/** The session of the cookie, if there is one. */
export function findSession(): Promise<GatewayReply<BrowserSession>> {
  return ask<BrowserSession>(ADDRESS);
}

/** Opens a one-time link, which makes the cookie. */
export async function openLink(token: string): Promise<GatewayReply<BrowserSession>> {
  for (const waitMs of LINK_WAITS_MS) {
    const asked = await post(token);
    if (asked.ok || asked.code !== 'invalid_token') return asked;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return post(token);
}

function post(token: string): Promise<GatewayReply<BrowserSession>> {
  return ask<BrowserSession>(ADDRESS, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

/** Ends the session here and at the gateways. */
export function endSession(): Promise<GatewayReply<unknown>> {
  return ask(`${ADDRESS}/end`, { method: 'POST' });
}
