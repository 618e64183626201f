import type { StoreName } from '../../kernel/objectives.ts';
import type { AskedFigures } from './figures.ts';
import type { WorkerFigures } from './read-workers.ts';

/** A store of the pipeline; the log is one too. */
export interface StoreFigures {
  readonly store: 'log' | StoreName;
  /** `building`: it answers and does not hold all that the log says. */
  readonly state: 'ready' | 'building' | 'unavailable';
  /** The most that a worker that fills it is behind; undefined where that is unknown. */
  readonly lagSeconds: number | undefined;
  /** Records a second that these commit together. */
  readonly recordsPerSecond: number | undefined;
}

/** Which store a worker fills, by its group. */
export type StoreByGroup = ReadonlyMap<string, StoreName | undefined>;

/** The stores, as far as the figures say how they are. */
export function storesOf(
  { topics, workers, isStateReady, minutes }: AskedFigures, stores: StoreByGroup,
): readonly StoreFigures[] {
  const state = isStateReady ? 'ready' : 'building';
  return [
    { store: 'log', state: answered(topics), lagSeconds: undefined, recordsPerSecond: undefined },
    {
      store: 'state', state: isStateReady === undefined ? 'unavailable' : state,
      ...filled(workers, 'state', stores),
    },
    { store: 'tables', state: answered(minutes), ...filled(workers, 'tables', stores) },
  ];
}

function answered(figures: unknown): 'ready' | 'unavailable' {
  return figures === undefined ? 'unavailable' : 'ready';
}

function filled(
  workers: readonly WorkerFigures[] | undefined, store: StoreName, stores: StoreByGroup,
): Pick<StoreFigures, 'lagSeconds' | 'recordsPerSecond'> {
  const own = workers?.filter(({ group }) => stores.get(group.replace(/@.*$/, '')) === store);
  const rates = own?.flatMap(({ recordsPerSecond }) => recordsPerSecond ?? []);
  return {
    lagSeconds: own?.reduce((most, { seconds }) => Math.max(most, seconds), 0),
    recordsPerSecond: rates === undefined || rates.length === 0
      ? undefined : rates.reduce((sum, rate) => sum + rate, 0),
  };
}
