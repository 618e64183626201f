import type { Ports, SendRates } from './options.ts';

/** Lets a call begin when the rates of the client allow it. */
export type SendPace = (items: number, bytes: number) => Promise<void>;

/** Calls begin one after the other, each as much later as the one before it takes of the rates. */
export function createPace(
  { callsPerSecond, itemsPerSecond, bytesPerSecond }: SendRates, ports: Ports, signal: AbortSignal,
): SendPace {
  let nextMs = 0;
  return async function pace(items, bytes) {
    const nowMs = ports.nowMs();
    const takesMs = 1_000 * Math.max(
      1 / callsPerSecond, items / itemsPerSecond, bytes / bytesPerSecond,
    );
    const beginMs = Math.max(nowMs, nextMs);
    nextMs = beginMs + takesMs;
    if (beginMs > nowMs) await ports.wait(beginMs - nowMs, signal);
  };
}
