import { isMoved } from '../../../domain/overflow/provider-overflow.ts';
import type { DeviceId } from '../../../kernel/ids.ts';
import type { Overflow } from '../../../kernel/overflow.ts';

/** Devices, and providers with all of theirs, whose fixes go to the overflow topic. */
export interface Overflowing {
  readonly devices: ReadonlySet<DeviceId>;
  readonly providers: ReadonlySet<string>;
}

/** What goes to the overflow topic at a time, by the decisions that hold then. */
export function overflowingAt({ devices, providers }: Overflow, nowMs: number): Overflowing {
  return {
    devices: new Set([...devices].flatMap(([id, { state }]) => state === 'in' ? [id] : [])),
    providers: new Set([...providers].flatMap(([name, decisions]) => (
      isMoved(decisions, nowMs) ? [name] : []
    ))),
  };
}
