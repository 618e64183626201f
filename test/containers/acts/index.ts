import type { MachineState } from '../machine/traces.ts';
import type { Act } from './act.ts';
import { buildImage } from './build-image.ts';
import { composeUp } from './compose.ts';
import { conform } from './conform.ts';
import { down } from './down.ts';
import { inspectImage } from './inspect-image.ts';
import { upgrade } from './upgrade.ts';

/** The acts in their order: each needs those before it. The last one ends what runs. */
export function actsOf(before: MachineState): readonly Act[] {
  return [buildImage, inspectImage, composeUp, conform, upgrade, down(before)];
}
