import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import type { Ids } from '../../../services/kernel/ids.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { readRecord } from '../../support/read-record.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Simulation } from '../core/simulation.ts';
import { atOnce } from '../../../services/kernel/steps.ts';

/** How gateways wait for each other, as they are assembled. */
export const RACE = { raceWaitMsMax: 2_000, racePollMs: 100 };

/** Names that no other process makes, and that are the same in every run of a seed. */
export function idsOf(process: SimProcess): Ids {
  let count = 0;
  const next = (): string => `${process.name}-${count += 1}`;
  return { ingestId: next, nonce: next };
}

/** What every projector is given. */
export function workerPorts(simulation: Simulation, process: SimProcess) {
  const clock = simulation.wire.clockOf(process);
  const log = simulation.append(process);
  const deadLetters = createDeadLetters(
    { worker: 'simulated', codeVersion: '0', appendMsMax: 10_000 },
    { log, clock, signals: silentSignals },
  );
  return { clock, signals: silentSignals, deadLetters, readRecord };
}

const NO_KEYS = {
  isErased: () => false, seal: () => undefined, sealLong: () => atOnce(undefined),
  open: () => undefined,
};

/** Keys of personal data are no part of these models: what is personal is left out of the log. */
export const UNSEALED = {
  keyed: sha256,
  personal: { forWriting: async () => NO_KEYS, forReading: async () => NO_KEYS },
};
