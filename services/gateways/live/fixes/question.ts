import type { ClientId } from '../../../kernel/ids.ts';
import type { FixFormat } from './updates.ts';

/** Which positions, and how they are written. */
export interface FixQuestion {
  readonly whose: ClientId | 'all';
  /** Only what came by this provider. */
  readonly provider: string | undefined;
  readonly format: FixFormat;
  /** Stopped devices too, and the state of each. */
  readonly states: boolean;
  /** The id that the caller saw last. */
  readonly lastEventId: string | undefined;
}
