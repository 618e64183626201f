import type {
  CommandResource, ProviderCommandBody, ProviderCommandIssued, ProviderCommandResult,
} from '../../schemas/generated/types.ts';
import type { RecordId } from './record-id.ts';
import type { TransportId } from './ids.ts';

/** A provider command and its results, as recorded in their two topics. */
export type { ProviderCommandBody, ProviderCommandIssued, ProviderCommandResult };

/** What makes a repeat the same command: hashes of its key and of its body. */
export type CommandIdentity = NonNullable<ProviderCommandIssued['identity']>;

/**
 * The answer to a claim on a key: to be appended; a repeat of a command that the log has; a key of
 * a command with another body; or another gateway is at it.
 */
export type CommandClaim =
  | { readonly kind: 'taken' | 'busy' }
  | { readonly kind: 'repeat' | 'other_body'; readonly command_id: string };

/**
 * Keys of commands in the state store, kept as long as commands are. Rejects with `Unavailable`
 * `state_unavailable` or `state_not_ready` (applying only with the first).
 */
export interface CommandKeys {
  /** Claims a key for a call, which alone may then append its command. */
  claim(identity: CommandIdentity, command_id: string, claimId: string): Promise<CommandClaim>;
  /** Says that the log has the command; false when the store has lost the claim. */
  confirm(event: ProviderCommandIssued): Promise<boolean>;
  /** Gives a claim back once it is certain that the log did not take the command. */
  release(identity: CommandIdentity, claimId: string): Promise<void>;
  apply(events: readonly ProviderCommandIssued[]): Promise<void>;
}

/** Where a command stands; see the resource of the platform's command API. */
export type CommandState = CommandResource['state'];

/** A command as the state store holds it: the fact without its body, and its decisive result. */
export interface StoredCommand {
  readonly issued: Omit<ProviderCommandIssued, 'type' | 'body' | 'identity'> & {
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
  /** True for a record that an operator put back into the topic after it was a dead letter. */
  readonly isReplayed?: boolean;
}

/** Which commands are listed: issued in a range of time, both ends included, of one transport. */
export interface CommandRange {
  readonly since_ms: number;
  readonly until_ms: number;
  /** As text; undefined for commands of all transports and of none. */
  readonly transport_id: string | undefined;
}

/** Where a page of commands ended: when that one was issued. */
export interface CommandCursor {
  readonly at_ms: number;
  readonly command_id: string;
}

/** One page of commands, the one issued last first. */
export interface CommandPage {
  readonly commands: readonly StoredCommand[];
  readonly next: CommandCursor | undefined;
}

/**
 * Commands in the state store. Applying merges, so any order and repetition ends in the same state.
 * Every call rejects with `Unavailable` `state_unavailable` or `state_not_ready` (applying only the
 * first).
 */
export interface CommandStates {
  find(commandId: string): Promise<StoredCommand | undefined>;
  /** What the projector has applied: a command is listed a moment after its issue. */
  list(
    range: CommandRange, after: CommandCursor | undefined, limit: number,
  ): Promise<CommandPage>;
  /**
   * Shows a command that was just appended, and what deferred events may answer; what it means for
   * its transport follows the log.
   */
  put(event: ProviderCommandIssued): Promise<void>;
  /**
   * Answers with those that are the first record of their command in the log. A later one is what
   * a gateway appended again after it could not know that the log has the command.
   */
  applyCommands(commands: readonly PlacedCommand[]): Promise<readonly PlacedCommand[]>;
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
