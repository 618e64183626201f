import type { StateSettings } from './fake-states/settings.ts';
import type { StatePorts } from './fake-states.ts';

/** An empty state store that is ready, of one kind or another. */
export interface OpenedStates extends StatePorts {
  /** Forgets everything, the ready mark included. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one kind of state store with settings; the suites run on each kind. */
export type OpenStates = (settings?: Partial<StateSettings>) => Promise<OpenedStates>;
