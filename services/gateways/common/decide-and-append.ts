import type { Clock, Pause } from '../../kernel/clock.ts';
import { RecordTooLarge } from '../../kernel/record-size.ts';
import { Unavailable, isUnavailable } from '../../kernel/unavailable.ts';

/** How long a call that lost a race waits for the winner, and how often it asks, in ms. */
export interface RaceConfig {
  readonly raceWaitMsMax: number;
  readonly racePollMs: number;
}

/** What waiting for another call needs from outside. */
export interface RacePorts {
  readonly clock: Clock;
  readonly pause: Pause;
}

/** What a step says: the outcome is known, another call is at it, or go on with this fact. */
export type AttemptStep<Fact, Outcome> =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'busy' }
  | { readonly kind: 'go'; readonly fact: Fact };

/**
 * Whether an appended fact counts. `lost`: the claim ended early, and only what is applied
 * from the log decides; then the call confirms or decides again, for at most its own deadline
 * where `isWorthWaiting`.
 */
export type Confirmation<Outcome> =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | {
    readonly kind: 'lost'; readonly next: 'confirm' | 'decide'; readonly isWorthWaiting: boolean;
  };

/** One command about one thing: how its state is read, and how a fact about it is made to count. */
export interface Attempt<State, Fact, Outcome> {
  /** What is being decided about, for the log of an outage. */
  readonly about: string;
  load(): Promise<State>;
  decide(state: State): Promise<AttemptStep<Fact, Outcome>> | AttemptStep<Fact, Outcome>;
  /** Reserves the thing for this call, which alone may then append. */
  claim(fact: Fact): Promise<AttemptStep<Fact, Outcome>>;
  /** Seals what is personal, before anything is sent to the log. */
  seal?(fact: Fact): Promise<Fact>;
  append(fact: Fact): Promise<void>;
  confirm(fact: Fact): Promise<Confirmation<Outcome>>;
  /** Gives the claim back once it is certain that the log does not have the fact. */
  release?(fact: Fact): Promise<void>;
}

/**
 * Load, decide, claim, append, confirm. Repeats while another call is at the same thing, at most
 * `raceWaitMsMax` and never past the deadline of the call; then `Unavailable` `state_busy`. Nothing
 * is answered before the fact is both in the log and in the state store.
 */
export async function decideAndAppend<State, Fact, Outcome>(
  config: RaceConfig, { clock, pause }: RacePorts, deadlineMs: number,
  attempt: Attempt<State, Fact, Outcome>,
): Promise<Outcome> {
  let untilMs = Math.min(deadlineMs, clock.nowMs() + config.raceWaitMsMax);
  let unconfirmed: { readonly fact: Fact } | undefined;
  for (;;) {
    const step = unconfirmed === undefined ? await decideAndClaim(attempt) : undefined;
    if (step?.kind === 'done') return step.outcome;
    if (step?.kind === 'go') unconfirmed = { fact: await appendClaimed(attempt, step.fact) };
    if (unconfirmed !== undefined) {
      const confirmation = await attempt.confirm(unconfirmed.fact);
      if (confirmation.kind === 'done') return confirmation.outcome;
      if (confirmation.next === 'decide') unconfirmed = undefined;
      if (confirmation.isWorthWaiting) untilMs = deadlineMs;
    }
    if (clock.nowMs() >= untilMs) {
      throw new Unavailable('state_busy', 'decide', `${attempt.about} is being decided about`);
    }
    await pause(config.racePollMs);
  }
}

async function decideAndClaim<State, Fact, Outcome>(
  attempt: Attempt<State, Fact, Outcome>,
): Promise<AttemptStep<Fact, Outcome>> {
  const decided = await attempt.decide(await attempt.load());
  return decided.kind === 'go' ? attempt.claim(decided.fact) : decided;
}

/** A fact that the log certainly did not take frees its claim; an unknown outcome keeps it. */
async function appendClaimed<State, Fact, Outcome>(
  attempt: Attempt<State, Fact, Outcome>, decided: Fact,
): Promise<Fact> {
  let isOnItsWay = false;
  try {
    const fact = await attempt.seal?.(decided) ?? decided;
    isOnItsWay = true;
    await attempt.append(fact);
    return fact;
  } catch (error) {
    const isCertain = !isOnItsWay || error instanceof RecordTooLarge
      || (isUnavailable(error) && error.code !== 'log_timeout');
    if (isCertain) await attempt.release?.(decided);
    throw error;
  }
}
