import type { FleetFillPorts } from '../fill.ts';
import type { ScaleFleet } from '../fleet-sql.ts';
import { progressOf } from '../progress.ts';
import { parametersOfRest, REST_STEPS, type RestStep } from './rest-sql.ts';

/** Whether all that a fleet has besides its fixes is among these steps. */
export function isRestIn(steps: readonly string[]): boolean {
  return REST_STEPS.every(({ name }) => steps.includes(name));
}

/**
 * Fills what a fleet has besides its fixes, and says which step is in. A step that broke off is
 * done again whole: its rows are the same each time, so they count once. Meanwhile no day is
 * computed, since each new zone and stop would have it computed again.
 */
export async function fillRest(
  ports: FleetFillPorts, fleet: ScaleFleet, before: readonly string[],
  isIn: (steps: readonly string[]) => void,
): Promise<void> {
  const { store } = ports;
  const views = await store.query(
    'SELECT view FROM system.view_refreshes WHERE database = currentDatabase()',
  );
  const each = async (does: 'START' | 'STOP'): Promise<void> => {
    for (const { view } of views) await store.execute(`SYSTEM ${does} VIEW ${String(view)}`);
  };
  await each('STOP');
  try {
    await fillSteps(ports, fleet, before, isIn);
  } finally {
    await each('START');
  }
}

async function fillSteps(
  { store, leaving, print }: FleetFillPorts, fleet: ScaleFleet, before: readonly string[],
  isIn: (steps: readonly string[]) => void,
): Promise<void> {
  const left = REST_STEPS.filter(({ name }) => !before.includes(name));
  const say = progressOf(print, left.length, 'other kinds of data are in');
  for (const [index, step] of left.entries()) {
    for (const day of daysOf(step, fleet)) {
      leaving.throwIfAborted();
      for (const sql of step.statements) await store.execute(sql, parametersOfRest(fleet, day));
    }
    isIn([...before, ...left.slice(0, index + 1).map(({ name }) => name)]);
    say(index + 1);
  }
}

/** Statements for all days get the last whole day, on which each customer is visited. */
function daysOf({ isOnce }: RestStep, { firstDay, days }: ScaleFleet): readonly number[] {
  return isOnce ? [firstDay + days - 2] : Array.from({ length: days }, (_, n) => firstDay + n);
}
