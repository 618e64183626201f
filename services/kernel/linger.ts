/**
 * How long the next batch may wait for company, in milliseconds, after one of `size` waited so:
 * twice as long once company has come, up to `msMax`, and back to nothing when callers come alone.
 */
export function nextLingerMs(lingerMs: number, size: number, msMax: number): number {
  return size > 1 ? Math.min(msMax, Math.max(1, lingerMs * 2)) : Math.floor(lingerMs / 2);
}
