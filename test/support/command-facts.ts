import { randomInt, randomUUID } from 'node:crypto';
import type {
  PlacedCommand, ProviderCommandIssued, ProviderCommandResult,
} from '../../services/kernel/commands.ts';
import type { PartyRecorded } from '../../services/kernel/parties.ts';

/** A transport id that no other test uses. */
export function newTransportId(): number {
  return 1_000_000_000 + randomInt(2 ** 40);
}

/** The transport of a command. */
export function aTransport(id: number): { id: number; license_plate: string; country_id: string } {
  return { id, license_plate: 'ABC1D23', country_id: 'BR' };
}

/** A command about a transport, as it is in the log. */
export function aCommand(
  command: 'start_tracking' | 'stop_tracking', transportId: number,
  change: Partial<ProviderCommandIssued> = {},
): ProviderCommandIssued {
  return {
    type: 'ProviderCommandIssued', command_id: randomUUID(), provider: 'acme',
    command_key: String(transportId), client_id: '100000000000042', country_id: 'BR',
    at_ms: Date.now(), body: { command, transport: aTransport(transportId) }, ...change,
  };
}

/** A request for deferred events about a transport, as it is in the log. */
export function aTelemetryRequest(
  id: string, transportId: number, change: Partial<ProviderCommandIssued> = {},
): ProviderCommandIssued {
  return aCommand('start_tracking', transportId, {
    body: {
      command: 'process_telemetry_events', id, transport: aTransport(transportId),
      travel: { init_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T14:00:00Z' },
    },
    ...change,
  });
}

/** A result of a command. */
export function aResult(
  { command_id, provider, command_key }: ProviderCommandIssued,
  change: Partial<ProviderCommandResult> = {},
): ProviderCommandResult {
  return {
    type: 'ProviderCommandResult', command_id, provider, command_key, fence: 1, attempt: 1,
    outcome: 'done', status: 200, reason: 'answered', at_ms: Date.now(), ...change,
  };
}

/** Commands at offsets of one partition, one after the other. */
export function placedCommands(
  events: readonly ProviderCommandIssued[], first = 0, topicId = 'commands-id',
): PlacedCommand[] {
  return events.map((event, at) => ({
    event,
    recordId: {
      topic: 'provider.commands.v1', topicId, partition: 0, offset: BigInt(first + at),
    },
  }));
}

/** A provider that is called, unless changed. */
export function aParty(change: Partial<PartyRecorded> = {}): PartyRecorded {
  const party_id = change.party_id ?? `party-${randomUUID()}`;
  return {
    type: 'PartyRecorded', party_id, kind: 'provider', name: 'Acme', provider: 'acme',
    base_url: 'http://127.0.0.1:9', authentication: { kind: 'static', sealed_token: 'sealed:t0' },
    contracts_requiring_agency: [], status: 'active', version: 1, at_ms: 1_764_000_000_000,
    ...change,
  };
}
