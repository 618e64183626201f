import type { Code } from './codes.ts';

/**
 * What a decider answers: facts to append, nothing to do (the interface's 208), or a refusal by
 * code. A refusal is a value, never an exception.
 */
export type Decision<Event> =
  | { readonly kind: 'happened'; readonly events: readonly Event[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly code: Code };

/**
 * A pure state machine: the same command on the same state gives the same decision, and folding the
 * decided events gives the next state. No clock, no ids, no I/O; `at_ms` comes with the command.
 */
export interface Decider<State, Command, Event> {
  readonly initial: State;
  readonly decide: (command: Command, state: State) => Decision<Event>;
  readonly evolve: (state: State, event: Event) => State;
}

/** The decision that these facts happened. */
export function happened<Event>(...events: readonly Event[]): Decision<Event> {
  return { kind: 'happened', events };
}

/** The decision that everything is already as asked for. */
export const unchanged = { kind: 'unchanged' } as const;

/** The decision that it must not happen, and why. */
export function refused(code: Code): { readonly kind: 'refused'; readonly code: Code } {
  return { kind: 'refused', code };
}
