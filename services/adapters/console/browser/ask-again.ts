import { ask, type GatewayReply } from './ask.ts';
import type { Around } from './page.ts';
import { pause } from './pause.ts';

/** Asks every few milliseconds and shows each reply, until the page is left or its session ends. */
export async function askAgain<Body>(
  addressOf: () => string, everyMs: number,
  { leaving, signedOut }: Pick<Around, 'leaving' | 'signedOut'>,
  show: (reply: GatewayReply<Body>) => void,
): Promise<void> {
  for (;;) {
    const reply = await ask<Body>(addressOf(), { signal: leaving }).catch(() => undefined);
    if (reply === undefined || leaving.aborted) return;
    if (!reply.ok && reply.status === 401) {
      signedOut();
      return;
    }
    show(reply);
    await pause(everyMs, leaving);
  }
}
