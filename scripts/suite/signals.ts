const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborts at the first signal that asks the process to end. A second Ctrl-C does not cut the orderly
 * end short: it is limited anyway.
 */
export function firstSignal(): AbortController {
  const leaving = new AbortController();
  for (const name of SIGNALS) process.on(name, () => { leaving.abort(); });
  return leaving;
}
