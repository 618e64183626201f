import type { DriverEraser } from '../../kernel/driver-eraser.ts';
import type { TrackEraser } from '../../kernel/track-eraser.ts';

/** Erases positions in every replica; rejects when one is away. Answers the rows of the first. */
export function trackEraserOfEach(erasers: readonly TrackEraser[]): TrackEraser {
  return {
    erase: async (...erased) => firstOf(await inEach(erasers, (each) => each.erase(...erased))),
  };
}

/** Erases drivers in every replica. Those that answer name them: one may be behind another. */
export function driverEraserOfEach(erasers: readonly DriverEraser[]): DriverEraser {
  return {
    driversOf: (client_id, provider) => (
      named(erasers, (each) => each.driversOf(client_id, provider))
    ),
    traceablesOf: (driver) => named(erasers, (each) => each.traceablesOf(driver)),
    erase: async (...erased) => firstOf(await inEach(erasers, (each) => each.erase(...erased))),
  };
}

/** What the replicas name that answer; rejects when none does. */
async function named<Replica, Named extends object>(
  replicas: readonly Replica[], ask: (replica: Replica) => Promise<readonly Named[]>,
): Promise<readonly Named[]> {
  const ends = await Promise.allSettled(replicas.map(ask));
  const found = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  if (found.length === 0) for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return [...new Map(found.flat().map((each) => [JSON.stringify(each), each])).values()];
}

/** One that is away does not keep the others from what they can do; then the call rejects. */
async function inEach<Replica, Answer>(
  replicas: readonly Replica[], work: (replica: Replica) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const ends = await Promise.allSettled(replicas.map(work));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

function firstOf(rows: readonly number[]): number {
  return rows[0] ?? 0;
}
