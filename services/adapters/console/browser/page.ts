import type { Addresses } from './addresses.ts';
import type { BrowserSession } from '../../../kernel/sessions.ts';

/** What every page is given. */
export interface Around {
  readonly session: BrowserSession;
  readonly addresses: Addresses;
  /** What follows the name of the page in the address, decoded. */
  readonly rest: string;
  /** Aborted when the page is left. */
  readonly leaving: AbortSignal;
  /** The session is over: back to the sign-in. */
  readonly signedOut: () => void;
}

/** Fills the main part of the window. */
export type Page = (main: HTMLElement, around: Around) => void | Promise<void>;
