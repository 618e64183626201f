import type { AccessStates, TokenLimits } from '../kernel/access.ts';
import type { StateStore } from '../kernel/state-store.ts';
import { createAccessStates, type AccessConfig } from './access.ts';

/** Settings of all stores. */
export type StatesConfig = AccessConfig;

/** What the adapter gives: entries with versions, and what is too hot for them. */
export interface StateParts {
  readonly store: StateStore;
  readonly tokenLimits: TokenLimits;
}

/** One store for each thing that the product keeps state of. */
export interface States {
  readonly access: AccessStates;
}

/** Makes every store over the parts of an adapter, and hands the parts on beside them. */
export function createStates<Parts extends StateParts>(
  config: StatesConfig, parts: Parts,
): Parts & States {
  const { store, tokenLimits } = parts;
  return {
    ...parts,
    access: createAccessStates(config, store, tokenLimits),
  };
}
