/** CPU of one body or post in µs, both ways. */
export interface Cost {
  readonly bytes: number;
  readonly scannedUs: number;
  readonly exactUs: number;
}

const ROUNDS = 7;
const WARM_UP_ROUNDS = 2;

/** Measures a body or post both ways. */
export async function measureBoth(
  bytes: number, scanned: () => Promise<number>, exact: () => Promise<number>,
): Promise<Cost> {
  const [scannedUs = 0, exactUs = 0] = await cpuSideBySide([scanned, exact]);
  return { bytes, scannedUs, exactUs };
}

/**
 * CPU of one piece of work in µs, for each way of doing it. The ways alternate, so that a busy
 * neighbour troubles all alike, and medians are taken. Each way does its work some times and says
 * how often; CPU is that of this thread.
 */
export async function cpuSideBySide(
  ways: readonly (() => Promise<number>)[],
): Promise<readonly number[]> {
  const costs = ways.map((): number[] => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [at, way] of ways.entries()) {
      const cost = await cpuUs(way);
      if (round >= WARM_UP_ROUNDS) costs[at]?.push(cost);
    }
  }
  return costs.map(median);
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
