import type { MachineState } from '../machine/traces.ts';
import type { Act } from './act.ts';
import { buildImage } from './build-image.ts';
import { composeUp } from './compose.ts';
import { conform } from './conform.ts';
import { down } from './down.ts';
import { inspectImage } from './inspect-image.ts';
import { openConsole } from './open-console.ts';
import { upgrade } from './upgrade.ts';

/** The acts in their order; each needs those before it that bring up what it asks. */
export const CONTAINER_ACTS: readonly Act[] = [
  buildImage, inspectImage, composeUp, openConsole, conform, upgrade,
];

/** The chosen acts, or all, the image always first. The last one ends what runs. */
export function actsOf(before: MachineState, only: readonly string[] = []): readonly Act[] {
  const chosen = CONTAINER_ACTS.filter((act) => (
    only.length === 0 || act === buildImage || only.includes(act.name)));
  return [...chosen, down(before)];
}
