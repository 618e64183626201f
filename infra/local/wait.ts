import { setTimeout as delay } from 'node:timers/promises';

/** What is waited for, how often it is asked, and for how long (milliseconds). */
export type WaitOptions = {
  readonly what: string;
  readonly deadlineMs: number;
  readonly everyMs?: number;
  /** Ends the waiting at once when it returns a sentence (for example: the process has ended). */
  readonly hopeless?: () => string | undefined;
};

/** Asks until the condition holds; throws one sentence at the deadline or when hope is lost. */
export async function waitFor(
  condition: () => Promise<boolean> | boolean,
  options: WaitOptions,
): Promise<void> {
  const endsAt = Date.now() + options.deadlineMs;
  for (;;) {
    if (await condition()) return;
    const reason = options.hopeless?.();
    if (reason !== undefined) throw new Error(`${options.what}: ${reason}`);
    if (Date.now() > endsAt) {
      throw new Error(`${options.what} did not happen within ${options.deadlineMs} ms.`);
    }
    await delay(options.everyMs ?? 50);
  }
}
