import type { Dice } from './dice.ts';
import type { TestCluster } from './cluster/cluster.ts';
import type { ClusterOptions } from './cluster/cluster-options.ts';
import type { Allowance } from './run-files.ts';
import type { CalledParty } from './workload/called-party.ts';
import type { Residents } from './workload/residents.ts';
import type { ResidentWebhooks } from './workload/webhooks.ts';

/** What faults act on. */
export interface FaultEnv {
  readonly cluster: TestCluster;
  readonly parties: readonly CalledParty[];
  readonly webhooks?: ResidentWebhooks | undefined;
  readonly residents: Residents;
  /** A text that must be in no log, from now on. */
  readonly mustNotLeak: (text: string) => void;
  /** A line for the row of the run, beside what is checked. */
  readonly remark: (line: string) => void;
}

/** Something bad that begins, and mostly ends. */
export interface Fault {
  readonly name: string;
  /** What it hits: a process, a way, a part. */
  readonly target: string;
  begin(env: FaultEnv): Promise<unknown> | void;
  /** Undoes it; called once, at the latest when the run heals. Absent where nothing is to undo. */
  end?(env: FaultEnv): Promise<unknown> | void;
  /** False while a fault that waits for its chance has not struck; such a run proves nothing. */
  hasStruck?(env: FaultEnv): boolean;
}

/** A fault with its time, in milliseconds from the begin of the run. */
export interface Planned {
  readonly fault: Fault;
  readonly atMs: number;
  /** How long it lasts; until the run heals when not said. */
  readonly forMs?: number;
  /** The run is good also when the fault finds no chance to strike: it is one of many at random. */
  readonly mayMiss?: true;
}

/** One kind of run. */
export interface Scenario {
  readonly name: string;
  /** What happens, in one sentence for the table of results. */
  readonly does: string;
  /** The invariants that are at stake. */
  readonly aims: readonly string[];
  /** Length of the part with faults. */
  readonly seconds: number;
  /** Part of the short matrix. */
  readonly isSmoke?: boolean;
  /** A cluster of its own is needed: it is built so, or it is not fit for others afterwards. */
  readonly ownCluster?: ClusterOptions;
  /** Clients call through a balancer that asks for readiness, as in an upgrade. */
  readonly isBalanced?: boolean;
  /** The clients do half of what the cluster can, measured right before. */
  readonly isAtHalfCapacity?: boolean;
  /** Calls a second of all clients together: the machine keeps time for what is measured. */
  readonly callsPerSecond?: number;
  /**
   * The platform issues so many commands, many of them repeated after a lost answer; no other
   * client calls. The run ends when the providers have them all.
   */
  readonly commands?: number;
  /** A second carrier notifies about shipments of the first, too. */
  readonly hasDisputes?: boolean;
  readonly allows?: readonly Allowance[];
  /** At the end the gateways are asked how so many accepted items ended, drawn at random. */
  readonly receipts?: number;
  /** A defect is seeded: processes end so often at its record, which is then a dead letter. */
  readonly endsAtRecordMax?: number;
  /** Long enough that memory and sockets must not grow any more. */
  readonly mustStayFlat?: boolean;
  /** What some process must write in its log, because an operator must act: an alarm. */
  readonly mustSay?: readonly string[];
  plan(dice: Dice): readonly Planned[];
}
