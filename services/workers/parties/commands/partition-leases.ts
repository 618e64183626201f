import type { Clock } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Leases } from '../../../kernel/leases.ts';
import type { Signals } from '../../../kernel/signals.ts';

/** Settings of the leases on partitions. */
export interface PartitionLeaseConfig {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly requestMsMax: number;
}

/** What keeping the leases needs; `owner` names this process. */
export interface PartitionLeasePorts {
  readonly leases: Leases;
  readonly owner: string;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Called when the lease on a partition was lost. */
  readonly onLost: (partition: number) => void;
}

/**
 * The leases of this process on partitions of the command topics. The group assigns partitions, but
 * a process that stalled may not know that it lost one: only a lease with time left allows to send.
 */
export interface PartitionLeases {
  /** Takes the lease; gives the fence, or undefined while another process has it. */
  claim(partition: number, fenceLeast: number): Promise<number | undefined>;
  /**
   * Renews a lease that was taken before. False when it was lost in between, for however short a
   * time: another process may have sent meanwhile. `onLost` was called then, and `holds` is false.
   */
  keep(partition: number): Promise<boolean>;
  /** The fence, if the lease lasts long enough for one more exchange. */
  fenceOf(partition: number): number | undefined;
  /** True while this process has the lease, however little of it is left. */
  holds(partition: number): boolean;
  /** Lets nothing more begin. What is in flight ends under the lease that it began with. */
  close(partition: number): void;
  release(partition: number): Promise<void>;
  stop(): void;
}

interface HeldLease {
  readonly fence: number;
  untilMs: number;
  isClosed: boolean;
}

/** Allowance, on top of an exchange, for clocks that differ and for the network. */
const MARGIN_MS = 1_000;

/** Renews claimed leases at intervals until they are released. */
export function createPartitionLeases(
  config: PartitionLeaseConfig, ports: PartitionLeasePorts,
): PartitionLeases {
  const { leases, owner, clock, signals } = ports;
  const held = new Map<number, HeldLease>();
  const timer = setInterval(() => { void renewAll(); }, config.renewMs);
  timer.unref();

  async function renewAll(): Promise<void> {
    await Promise.all([...held].map(([partition, lease]) => renew(partition, lease)));
  }

  async function keep(partition: number, lease: HeldLease): Promise<void> {
    const askedMs = clock.nowMs();
    if (await leases.renew(nameOf(partition), owner, config.leaseMs)) {
      lease.untilMs = askedMs + config.leaseMs;
    } else if (held.get(partition) === lease) {
      held.delete(partition);
      signals.partitionLeaseLost({ partition });
      ports.onLost(partition);
    }
  }

  async function renew(partition: number, lease: HeldLease): Promise<void> {
    try {
      await keep(partition, lease);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Not known: the lease lasts as long as it was given for.
      signals.partitionLeaseUnknown({ partition, code: error.code });
    }
  }

  return {
    async claim(partition, fenceLeast) {
      const askedMs = clock.nowMs();
      const fence = await leases.claim(nameOf(partition), owner, config.leaseMs, fenceLeast);
      if (fence === undefined) {
        held.delete(partition);
        return undefined;
      }
      held.set(partition, { fence, untilMs: askedMs + config.leaseMs, isClosed: false });
      return fence;
    },

    async keep(partition) {
      const lease = held.get(partition);
      if (lease !== undefined) await keep(partition, lease);
      return lease !== undefined && held.get(partition) === lease;
    },

    fenceOf(partition) {
      const lease = held.get(partition);
      if (lease === undefined || lease.isClosed) return undefined;
      const neededMs = config.requestMsMax + MARGIN_MS;
      return lease.untilMs - clock.nowMs() > neededMs ? lease.fence : undefined;
    },

    holds: (partition) => held.has(partition),

    close(partition) {
      const lease = held.get(partition);
      if (lease !== undefined) lease.isClosed = true;
    },

    async release(partition) {
      if (held.delete(partition)) await leases.release(nameOf(partition), owner);
    },

    stop: () => clearInterval(timer),
  };
}

function nameOf(partition: number): string {
  return `commands:${partition}`;
}
