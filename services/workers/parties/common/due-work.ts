import type { DueQueue } from '../../../kernel/due-queue.ts';
import type { Unavailable } from '../../../kernel/unavailable.ts';

/** Limits of a worker that serves due queues. */
export interface DueRunnerConfig {
  /** How often the queues are polled. */
  readonly pollMs: number;
  /** How long a taken item is taken by no other process; longer than its requests and appends. */
  readonly leaseMs: number;
  /** Items in flight in this process, and at one party. */
  readonly inFlightMax: number;
  readonly inFlightMaxPerParty: number;
  /** Wait of an item that found its party busy. */
  readonly busyMs: number;
  /** How long the appends of one item may take; after that it is taken again. */
  readonly appendMsMax: number;
}

/** An item that a stage works on, and the party that it is for. */
export interface DueItem {
  readonly partyId: string;
}

/** The end of an attempt: the item is due again, or complete when there is no time. */
export interface Next<Progress> {
  readonly dueMs: number | undefined;
  /** What the state store keeps beside the due time. */
  readonly progress?: Progress;
  /** How long nothing more is taken from the queue of the same party. */
  readonly holdMs?: number | undefined;
  /** Called once the due time is stored. */
  readonly report?: () => void;
}

/** One due queue. Without a party, `load` says which party each of its items is for. */
export interface PartyQueue<Item extends DueItem, Progress = never> {
  readonly partyId?: string;
  readonly takeDue: DueQueue['takeDue'];
  /** Finds what to request; or says what follows when there is nothing to request now. */
  readonly load: (name: string) => Promise<Item | Next<Progress>>;
  readonly reschedule: (name: string, next: Next<Progress>) => Promise<void>;
  /** Reports a stage that failed; the item stays in its queue and is due when its lease ends. */
  readonly onFailed: (name: string, error: Unavailable) => void;
}

/** What is one attempt of a worker that serves due queues, and what follows from it. */
export interface DueWork<Item extends DueItem, Answer, Progress = never> {
  /** The queues to take from, each time that they are polled. */
  readonly queues: () => Promise<readonly PartyQueue<Item, Progress>[]>;
  readonly request: (item: Item) => Promise<Answer>;
  /** Makes the answer durable. Gives nothing when that has set the due time too. */
  readonly record: (
    item: Item, answer: Answer, deadlineMs: number,
  ) => Promise<Next<Progress> | undefined>;

  readonly onPolled: (inFlight: number) => void;
  readonly onPollFailed: (error: Pick<Unavailable, 'code' | 'stage'>) => void;
  readonly onEnded?: (seconds: number) => void;
}
