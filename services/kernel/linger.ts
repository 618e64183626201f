/**
 * How long the next batch lingers, in milliseconds, after a batch of `size` records: twice as long
 * when it had several, up to `msMax`, and half as long when it had one.
 */
export function nextLingerMs(lingerMs: number, size: number, msMax: number): number {
  return size > 1 ? Math.min(msMax, Math.max(1, lingerMs * 2)) : Math.floor(lingerMs / 2);
}
