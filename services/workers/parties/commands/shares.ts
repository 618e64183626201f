import type { Clock } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Leases } from '../../../kernel/leases.ts';
import type { Signals } from '../../../kernel/signals.ts';

/** Settings of the rights to send. */
export interface SharesConfig {
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly requestMsMax: number;
}

/** What keeping the rights needs; `owner` names this process. */
export interface SharesPorts {
  readonly leases: Leases;
  readonly owner: string;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Called when the right to a partition was lost. */
  readonly onLost: (partition: number) => void;
}

/**
 * The rights of this process to send the commands of partitions. The group assigns partitions, but
 * a process that stalled may not know that it lost one: only a lease with time left allows to send.
 */
export interface Shares {
  /** Takes the right; the fence, or undefined while another process has it. */
  claim(partition: number, fenceLeast: number): Promise<number | undefined>;
  /**
   * Keeps a right that was taken before; false when it was away in between, however short, so that
   * another process may have sent meanwhile. `onLost` was called then, and `holds` is false.
   */
  keep(partition: number): Promise<boolean>;
  /** The fence, if the right holds long enough for one exchange more. */
  fenceOf(partition: number): number | undefined;
  /** True while the right is this process's, however little of it is left. */
  holds(partition: number): boolean;
  /** Lets nothing more begin, while what is under way ends under the right that it began with. */
  close(partition: number): void;
  release(partition: number): Promise<void>;
  stop(): void;
}

interface Share {
  readonly fence: number;
  untilMs: number;
  isClosed: boolean;
}

/** Time that the clocks and the way to the provider may take on top of an exchange. */
const MARGIN_MS = 1_000;

/** Keeps claimed rights alive at intervals until they are released. */
export function createShares(config: SharesConfig, ports: SharesPorts): Shares {
  const { leases, owner, clock, signals } = ports;
  const shares = new Map<number, Share>();
  const timer = setInterval(() => { void renewAll(); }, config.renewMs);
  timer.unref();

  async function renewAll(): Promise<void> {
    await Promise.all([...shares].map(([partition, share]) => renew(partition, share)));
  }

  async function keep(partition: number, share: Share): Promise<void> {
    const askedMs = clock.nowMs();
    if (await leases.renew(nameOf(partition), owner, config.leaseMs)) {
      share.untilMs = askedMs + config.leaseMs;
    } else if (shares.get(partition) === share) {
      shares.delete(partition);
      signals.partitionLeaseLost({ partition });
      ports.onLost(partition);
    }
  }

  async function renew(partition: number, share: Share): Promise<void> {
    try {
      await keep(partition, share);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Not known: the right lasts as long as it was given for.
      signals.partitionLeaseUnknown({ partition, code: error.code });
    }
  }

  return {
    async claim(partition, fenceLeast) {
      const askedMs = clock.nowMs();
      const fence = await leases.claim(nameOf(partition), owner, config.leaseMs, fenceLeast);
      if (fence === undefined) {
        shares.delete(partition);
        return undefined;
      }
      shares.set(partition, { fence, untilMs: askedMs + config.leaseMs, isClosed: false });
      return fence;
    },

    async keep(partition) {
      const share = shares.get(partition);
      if (share !== undefined) await keep(partition, share);
      return share !== undefined && shares.get(partition) === share;
    },

    fenceOf(partition) {
      const share = shares.get(partition);
      if (share === undefined || share.isClosed) return undefined;
      const neededMs = config.requestMsMax + MARGIN_MS;
      return share.untilMs - clock.nowMs() > neededMs ? share.fence : undefined;
    },

    holds: (partition) => shares.has(partition),

    close(partition) {
      const share = shares.get(partition);
      if (share !== undefined) share.isClosed = true;
    },

    async release(partition) {
      if (shares.delete(partition)) await leases.release(nameOf(partition), owner);
    },

    stop: () => clearInterval(timer),
  };
}

function nameOf(partition: number): string {
  return `commands:${partition}`;
}
