import type { RecordId } from './record-id.ts';
import type { ClientId, TraceableId } from './ids.ts';

/** A last fix of a traceable as the projector offers it: the newest fix of one batch. */
export interface TraceableOffer {
  readonly client_id: ClientId;
  readonly traceable_type: string;
  readonly traceable_id: TraceableId;
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_id: string;
  readonly bearing?: number;
  readonly received_at_ms: number;
  readonly provider: string;
  /** The driver that carried it at that time. */
  readonly external_type: string;
  readonly external_id: string;
  readonly recordId: RecordId;
}

/** The last known place of a traceable; `timestamp` is the fix's own time in epoch seconds. */
export type TraceableFix = Omit<TraceableOffer, 'recordId'>;

/** A traceable whose last position is to go, unless it was received later. */
export interface ForgottenTraceable {
  readonly client_id: ClientId;
  readonly traceable_type: string;
  readonly traceable_id: TraceableId;
  readonly received_until_ms: number;
}

/**
 * Last positions of what drivers carry, each for the client that sent it. A late fix never moves
 * one back; before the positions are complete a missing one is `Unavailable` with
 * `state_not_ready`.
 */
export interface TraceableFixes {
  offer(offers: readonly TraceableOffer[]): Promise<void>;
  /** Forgets last positions received up to a time. */
  forget(traceables: readonly ForgottenTraceable[]): Promise<void>;
  find(
    clientId: ClientId, traceableType: string, traceableId: TraceableId,
  ): Promise<TraceableFix | undefined>;
}
