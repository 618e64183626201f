import type { Act } from '../../containers/acts/act.ts';
import type { MachineState } from '../../containers/machine/traces.ts';
import type { ProductStage } from '../product/place.ts';
import { apiAway } from './api-away.ts';
import { autoscale } from './autoscale.ts';
import { cutOff } from './cut-off.ts';
import { clusterDown } from './down.ts';
import { drain } from './drain.ts';
import { eviction } from './eviction.ts';
import { fullDisk } from './full-disk.ts';
import { partsKilled, podsKilled } from './kills.ts';
import { policies } from './policies.ts';
import { release } from './release.ts';
import { rotation } from './rotation.ts';
import { startNodeAct } from './start-node.ts';
import { startProduct } from './start-product.ts';
import { wrongClock } from './wrong-clock.ts';

/** What is rehearsed on Pods, in order: each act needs the first two, which are always played. */
export const PRODUCT_ACTS: readonly Act<ProductStage>[] = [
  startNodeAct, startProduct, release, podsKilled, partsKilled, rotation, apiAway, eviction,
  policies, fullDisk, wrongClock, autoscale, drain, cutOff,
];

/** Whether what scales Pods is needed, which takes long to compile. */
export function needsScaling(only: readonly string[]): boolean {
  return only.length === 0 || only.includes(autoscale.name);
}

/** The chosen acts, or all, between those that are always played. The last one ends what runs. */
export function productActs(
  before: MachineState, only: readonly string[],
): readonly Act<ProductStage>[] {
  const always = new Set([startNodeAct, startProduct]);
  const chosen = PRODUCT_ACTS.filter((act) => (
    only.length === 0 || always.has(act) || only.includes(act.name)));
  return [
    ...chosen.map((act) => always.has(act) ? act : { ...act, isAside: true as const }),
    clusterDown(before),
  ];
}
