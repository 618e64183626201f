import type { WebhookHeldKey } from '../../kernel/webhooks.ts';
import type { DeliveryFailure, TriedBefore } from './delivery.ts';

/**
 * The progress of an outbox: everything before the cursor is delivered, but for the facts of held
 * keys from their offsets on. An older state that was true only repeats something.
 */
export interface OutboxProgress {
  readonly cursor: number;
  readonly held: ReadonlyMap<string, WebhookHeldKey>;
}

/** Where the facts of a key stopped in one pass. */
export interface Stop {
  readonly offset: number;
  /** Undefined when there was no time left to try it. */
  readonly failure: DeliveryFailure | undefined;
}

/** What one pass over a part of the log brought. */
export interface Pass {
  /** Offset behind the last record that was read. */
  readonly reached: number;
  readonly stops: ReadonlyMap<string, Stop>;
  readonly delivered: number;
}

/** Limits of an outbox. */
export interface OutboxLimits {
  /** Keys that may wait before the outbox reads nothing new: its receiver is down then. */
  readonly heldMax: number;
  /** Least time between two tries of a key whose wait is cut short, in ms. */
  readonly backMs: number;
  /** How often an outbox with keys that wait reads what is new for others, in ms. */
  readonly newsMs: number;
  /** How often it is due while it is full, in ms: an operator may have resumed it. */
  readonly sweepMs: number;
}

/** A part of the outbox in which facts of held keys are tried now. */
export interface Retries {
  readonly from: number;
  readonly to: number;
  readonly keys: ReadonlyMap<string, WebhookHeldKey>;
}

/**
 * The held keys that are tried now: the one that was tried longest ago, with those that are near it
 * in the log, so that none waits for another. After an operator resumed, all of them are.
 */
export function nextRetries(
  { cursor, held }: OutboxProgress, nowMs: number, recordsMax: number, resumedAtMs = 0,
): Retries | undefined {
  const due = [...held].filter(([, each]) => dueOf(each, resumedAtMs) <= nowMs)
    .sort(([, a], [, b]) => a.tried_at_ms - b.tried_at_ms);
  const from = due[0]?.[1].offset;
  if (from === undefined) return undefined;
  const to = Math.min(cursor, from + recordsMax);
  return { from, to, keys: new Map(due.filter(([, { offset }]) => offset >= from && offset < to)) };
}

/** When a held key is due; never where it is parked and no operator resumed since. */
function dueOf({ tried_at_ms, due_ms, parked }: WebhookHeldKey, resumedAtMs: number): number {
  if (resumedAtMs > tried_at_ms) return 0;
  return parked === true ? Infinity : due_ms;
}

/** The tries before of a fact; none where an operator began them over. */
export function triedBefore(
  kept: WebhookHeldKey | undefined, offset: number, nowMs: number, resumedAtMs = 0,
): TriedBefore {
  const isFirst = kept?.offset !== offset || kept.failures === 0 || resumedAtMs > kept.tried_at_ms;
  return isFirst ? { failures: 0, sinceMs: nowMs }
    : { failures: kept.failures, sinceMs: kept.since_ms };
}

/** How many more keys may come to wait; none once the receiver said that it is gone. */
export function roomOf({ held }: OutboxProgress, { heldMax }: OutboxLimits): number {
  const isGone = [...held.values()].some(({ reason }) => reason === 'gone');
  return isGone ? 0 : Math.max(0, heldMax - held.size);
}

/** The outbox after a pass over what is new to it: a key that stopped is held from there on. */
export function afterNew(outbox: OutboxProgress, pass: Pass, nowMs: number): OutboxProgress {
  const held = new Map(outbox.held);
  for (const [key, stop] of pass.stops) held.set(key, heldAt(key, stop, undefined, nowMs));
  return { cursor: Math.max(outbox.cursor, pass.reached), held };
}

/**
 * The outbox after a pass over facts of these held keys: a key is free once nothing of it is left
 * before the cursor. One that is delivered says that the receiver is back: no other waits longer.
 */
export function afterRetries(
  outbox: OutboxProgress, { keys }: Pick<Retries, 'keys'>, pass: Pass, nowMs: number, limits: OutboxLimits,
): OutboxProgress {
  const held = new Map(outbox.held);
  for (const [key, kept] of keys) {
    const stop = pass.stops.get(key);
    if (stop !== undefined) held.set(key, heldAt(key, stop, kept, nowMs));
    else if (pass.reached >= outbox.cursor) held.delete(key);
    else if (pass.reached > kept.offset) held.set(key, untried(key, pass.reached, nowMs));
  }
  if (pass.delivered > 0) {
    for (const [key, each] of held) held.set(key, soonerDue(each, limits.backMs));
  }
  return { cursor: outbox.cursor, held };
}

/** When the outbox has something to do next; undefined when only news can bring it something. */
export function nextDueMs(
  outbox: OutboxProgress, end: number, nowMs: number, limits: OutboxLimits, resumedAtMs = 0,
): number | undefined {
  const hasRoom = roomOf(outbox, limits) > 0;
  if (hasRoom && outbox.cursor < end) return nowMs;
  const leastMs = Math.min(...[...outbox.held.values()].map((each) => dueOf(each, resumedAtMs)));
  if (leastMs === Infinity) return undefined;
  const dueMs = Math.max(nowMs, leastMs);
  return Math.min(dueMs, nowMs + (hasRoom ? limits.newsMs : limits.sweepMs));
}

/** What the log does not have any more of an outbox. */
export interface Cut {
  readonly offset: number;
  readonly records: number;
}

/** The outbox behind what the log lost of it, and what that was; the same where it lost nothing. */
export function afterCut(
  outbox: OutboxProgress, start: number, nowMs: number,
): { readonly outbox: OutboxProgress; readonly cut: Cut | undefined } {
  const first = Math.min(outbox.cursor, ...[...outbox.held.values()].map(({ offset }) => offset));
  if (first >= start) return { outbox, cut: undefined };
  const held = new Map([...outbox.held].flatMap(([key, each]) => {
    if (each.offset >= start) return [[key, each] as const];
    return start >= outbox.cursor ? [] : [[key, untried(key, start, nowMs)] as const];
  }));
  return {
    outbox: { cursor: Math.max(outbox.cursor, start), held },
    cut: { offset: first, records: start - first },
  };
}

function heldAt(
  key: string, { offset, failure }: Stop, kept: WebhookHeldKey | undefined, nowMs: number,
): WebhookHeldKey {
  if (failure === undefined) {
    return kept?.offset === offset ? kept : untried(key, offset, nowMs);
  }
  const { outcome, failures, sinceMs, waitMs, reason, status } = failure;
  return {
    key, offset, failures, since_ms: sinceMs, tried_at_ms: nowMs, due_ms: nowMs + waitMs, reason,
    ...(status === undefined ? {} : { status }),
    ...(outcome === 'parked' ? { parked: true } : {}),
  };
}

/** One that was tried a moment ago keeps its wait, as it failed while others did not. */
function soonerDue(each: WebhookHeldKey, backMs: number): WebhookHeldKey {
  const dueMs = each.tried_at_ms + backMs;
  return each.parked === true || each.due_ms <= dueMs ? each : { ...each, due_ms: dueMs };
}

function untried(key: string, offset: number, nowMs: number): WebhookHeldKey {
  return { key, offset, failures: 0, since_ms: nowMs, tried_at_ms: nowMs, due_ms: nowMs };
}
