import type {
  CommandResource, ProviderCommandBody, ProviderCommandIssued, ProviderCommandResult,
} from '../../schemas/generated/types.ts';
import type { RecordId } from './record-id.ts';
import type { TransportId } from './ids.ts';

/** A provider command and its results, as recorded in their two topics. */
export type { ProviderCommandBody, ProviderCommandIssued, ProviderCommandResult };

/** Where a command stands; see the resource of the platform's command API. */
export type CommandState = CommandResource['state'];

/** A command as the state store holds it: the fact without its body, and its decisive result. */
export interface StoredCommand {
  readonly issued: Omit<ProviderCommandIssued, 'type' | 'body'> & {
    readonly command: ProviderCommandBody['command'];
    readonly transport_id?: TransportId;
    /** Of a request for deferred events: the id that they are sent with. */
    readonly request_id?: string;
  };
  readonly result: Omit<ProviderCommandResult, 'type'> | undefined;
}

/** A command with its place in the log, which decides what came later for one transport. */
export interface PlacedCommand {
  readonly event: ProviderCommandIssued;
  readonly recordId: RecordId;
}

/**
 * Commands in the state store. Applying merges, so any order and repetition ends in the same state.
 * Every call rejects with `Unavailable` `state_unavailable` or `state_not_ready` (applying only the
 * first).
 */
export interface CommandStates {
  find(commandId: string): Promise<StoredCommand | undefined>;
  /**
   * Shows a command that was just appended, and what deferred events may answer; what it means for
   * its transport follows the log.
   */
  put(event: ProviderCommandIssued): Promise<void>;
  applyCommands(commands: readonly PlacedCommand[]): Promise<void>;
  applyResults(results: readonly ProviderCommandResult[]): Promise<void>;
}

/** The newest start or stop that a provider was sent, or will be, about a transport. */
export interface NewestMonitoring {
  readonly command: 'start_tracking' | 'stop_tracking';
  /** Where that command stands. */
  readonly result: StoredCommand['result'];
}

/** Which transports providers must monitor (interface, 5. Provider commands). */
export interface Monitoring {
  find(provider: string, transportId: TransportId): Promise<NewestMonitoring | undefined>;
}

/** A `process_telemetry_events` command that deferred events may answer (interface, 11). */
export interface TelemetryRequest {
  readonly command_id: string;
  readonly transport_id: TransportId;
  readonly at_ms: number;
}

/** Requests for deferred events, by the provider that was asked and the id of the request. */
export interface TelemetryRequests {
  find(provider: string, id: string): Promise<TelemetryRequest | undefined>;
}
