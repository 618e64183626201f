import type { KitName } from './kit-copy.ts';
import type { FixComparison } from './measure.ts';

/** What a run showed of one kit. */
export interface KitResult extends FixComparison {
  readonly kit: KitName;
  readonly kills: number;
  /** Fixes of the run, of all its kits, that were accepted more than once. */
  readonly repeats: number;
  readonly measured: number;
  /** What the process of the kit said and should not. */
  readonly troubles: readonly string[];
}

/** Why a run of a kit has failed; empty when it passed. A run that shows nothing has failed too. */
export function troublesOf(result: KitResult): readonly string[] {
  const { kills, measured, rows, repeats, lost, doubled, strange } = result;
  return [
    ...result.troubles,
    ...(lost > 0 ? [`${lost} fixes are lost`] : []),
    ...(doubled > 0 ? [`${doubled} rows are doubled`] : []),
    ...(strange > 0 ? [`${strange} rows are of no fix`] : []),
    ...(kills === 0 ? ['it was never killed'] : []),
    ...(measured === 0 || rows === 0 ? ['it measured or stored nothing'] : []),
    ...(repeats === 0 ? ['nothing was sent twice, so that nothing could be doubled'] : []),
  ];
}
