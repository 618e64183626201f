import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { ProviderCommandIssued, ProviderCommandResult }
  from '../../../services/kernel/commands.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { aClient, aRegistration, startOf, stopOf } from '../../support/state-facts.ts';
import { record } from '../clickhouse/history.ts';
import type { TestTrack } from './test-track.ts';

/** A device that was started and never sent. */
export const SILENT_DEVICE = 'ghost-1';
/** Seconds from the start of a device to its first fix, and from its last to its stop. */
export const LEAD_S = 30;
export const TAIL_S = 60;
/** The provider whose devices were never stopped. */
export const NEVER_STOPPED = 'capmetrics';

/** The devices of the tracks as they were registered, started and stopped around their fixes. */
export function lifecycles(tracks: readonly TestTrack[], startTs: number): readonly LogRecord[] {
  const client = aClient({ client_id: '100000000000001' });
  const facts = tracks.flatMap(({ device, provider, fixes }) => {
    const seconds = fixes.map(({ timestamp }) => timestamp);
    const startMs = (Math.min(...seconds) - LEAD_S) * 1_000;
    const registered = aRegistration(client, {
      device_id: device, entity_type: `${provider}_vehicle`, at_ms: startMs - 1_000,
    });
    const stop = stopOf(registered, (Math.max(...seconds) + TAIL_S) * 1_000);
    const life = [registered, startOf(registered, startMs)];
    return provider === NEVER_STOPPED ? life : [...life, stop];
  });
  const ghost = aRegistration(client, { device_id: SILENT_DEVICE, at_ms: startTs * 1_000 });
  return [...facts, ghost, startOf(ghost)].map((fact) => record(
    'rtt.device-lifecycle.v1', fact.device_id, fact, { receivedAtMs: fact.at_ms },
  ));
}

/**
 * Commands of two providers: of `acme` two done after 2 and 4 s (the second at its third attempt)
 * and one refused after 1 s, of `best` one that was never tried and one that waits after a 503.
 */
export function commands(startTs: number): readonly LogRecord[] {
  let transport = 0;
  const issue = (provider: string): ProviderCommandIssued => {
    transport += 1;
    return aCommand('start_tracking', transport, {
      provider, command_id: `command-${transport}`, at_ms: (startTs + transport) * 1_000,
    });
  };
  const after = (
    command: ProviderCommandIssued, seconds: number, change: Partial<ProviderCommandResult> = {},
  ): ProviderCommandResult => (
    aResult(command, { at_ms: command.at_ms + seconds * 1_000, ...change })
  );
  const [first, second, third, fourth, fifth] = [
    issue('acme'), issue('acme'), issue('acme'), issue('best'), issue('best'),
  ];
  const facts = [
    first, after(first, 2),
    second, after(second, 1, { outcome: 'retry', reason: 'timeout' }),
    after(second, 4, { attempt: 3 }),
    third, after(third, 1, { outcome: 'refused', status: 400 }),
    fourth,
    fifth, after(fifth, 1, { outcome: 'retry', status: 503 }),
  ];
  return facts.map((fact) => record(
    fact.type === 'ProviderCommandIssued' ? 'provider.commands.v1' : 'provider.command-results.v1',
    fact.command_key, fact, { receivedAtMs: fact.at_ms },
  ));
}
