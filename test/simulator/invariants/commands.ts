import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Simulation } from '../core/simulation.ts';
import { factOf } from '../models/accounts.ts';
import type { SimProvider, ProviderSighting } from '../ports/provider.ts';

/**
 * A process claimed the lease of a partition, or began to read the partition, as it must before it
 * sends. It knows what ended before. A read for other partitions does not count.
 */
export interface Reading {
  readonly by: string;
  readonly partition: number;
  readonly step: number;
}

interface Command {
  readonly id: string;
  readonly partition: number;
  readonly sightings: readonly ProviderSighting[];
  /** Ends in the log: step and outcome. */
  readonly ends: readonly { readonly step: number; readonly outcome: string }[];
}

/**
 * The invariant of commands, I10: in order per transport, each completely, none after a refusal.
 */
export function checkCommands(
  { log }: Simulation, provider: SimProvider, readings: readonly Reading[],
): readonly string[] {
  const findings: string[] = [];
  const ends = Map.groupBy(log.records(TOPICS.providerCommandResults.name).map((record) => {
    const { command_id, outcome } = factOf(record);
    return { id: String(command_id), step: record.step, outcome: String(outcome) };
  }).filter(({ outcome }) => outcome !== 'retry'), ({ id }) => id);
  const commands = log.records(TOPICS.providerCommands.name).map((record) => {
    const { command_id, command_key } = factOf(record);
    const id = String(command_id);
    return {
      id, partition: record.partition, key: String(command_key), ends: ends.get(id) ?? [],
      sightings: provider.sightings.filter(({ commandId }) => commandId === id),
    };
  });
  for (const queue of Map.groupBy(commands, ({ key }) => key).values()) {
    for (const [at, command] of queue.entries()) {
      findings.push(...checkOne(command, readings));
      const before = queue[at - 1];
      if (before !== undefined && isBefore(before, command)) {
        findings.push(`I10 the provider saw ${command.id} before ${before.id} was over`);
      }
    }
  }
  return findings;
}

const isTerminal = ({ status }: ProviderSighting): boolean =>
  status === 200 || (status >= 400 && status < 500 && status !== 429 && status !== 401);

function checkOne(
  { id, partition, sightings, ends }: Command, readings: readonly Reading[],
): readonly string[] {
  const findings: string[] = [];
  if (ends.length === 0) findings.push(`I10 ${id} has no end in the log`);
  const isTaken = sightings.some(({ status }) => status === 200);
  if (ends.every(({ outcome }) => outcome === 'done') && !isTaken) {
    findings.push(`I10 ${id} is done by the log, but the provider never took it`);
  }
  const [end] = ends;
  const isKnownTo = ({ by, step }: ProviderSighting): boolean => end !== undefined
    && readings.some((reading) => reading.by === by && reading.partition === partition
      && end.step < reading.step && reading.step < step);
  for (const sighting of sightings) {
    const { by, step } = sighting;
    const own = sightings.find((each) => each.by === by && each.step < step && isRefusal(each)
      && end !== undefined && end.step < step);
    if (own !== undefined) findings.push(`I10 ${id} was sent again by ${by} after ${own.status}`);
    if (isKnownTo(sighting)) findings.push(`I10 ${id} was sent by ${by}, which could know its end`);
  }
  return findings;
}

const isRefusal = ({ status }: ProviderSighting): boolean => status === 400 || status === 403;

/** True when the later command was seen although the earlier one was not over. */
function isBefore(before: Command, command: Command): boolean {
  const first = command.sightings[0];
  if (first === undefined) return false;
  const isCancelled = before.ends.some(({ outcome, step }) =>
    outcome === 'cancelled' && step < first.step);
  return !isCancelled && !before.sightings.some((each) => (
    isTerminal(each) || each.status === 401) && each.step < first.step);
}
