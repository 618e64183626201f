/** CPU of one body or post in µs, both ways. */
export interface Cost {
  readonly bytes: number;
  readonly scannedUs: number;
  readonly exactUs: number;
}

const ROUNDS = 7;
const WARM_UP_ROUNDS = 2;

/**
 * Measures both ways by turns, so that a busy neighbour troubles both alike, and takes the medians.
 * Each way does its work some times and says how often; CPU is that of this thread.
 */
export async function measureBoth(
  bytes: number, scanned: () => Promise<number>, exact: () => Promise<number>,
): Promise<Cost> {
  const costs: { scanned: number[]; exact: number[] } = { scanned: [], exact: [] };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const [one, other] = [await cpuUs(scanned), await cpuUs(exact)];
    if (round < WARM_UP_ROUNDS) continue;
    costs.scanned.push(one);
    costs.exact.push(other);
  }
  return { bytes, scannedUs: median(costs.scanned), exactUs: median(costs.exact) };
}

async function cpuUs(work: () => Promise<number>): Promise<number> {
  const before = process.threadCpuUsage();
  const times = await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / times;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
