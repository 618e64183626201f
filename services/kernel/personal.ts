import type {
  PersonalErased, PersonalKeyDropped, PersonalKeyRecorded, SealedPersonal,
} from '../../schemas/generated/types.ts';
import type { Steps } from './steps.ts';
import type { ClientId, DeviceId, TrackingNumber, TransportOrderId } from './ids.ts';

/** Personal members as a record carries them. */
export type { SealedPersonal };

/** Facts about the keys of personal data: `personal.keys.v1`. */
export type { PersonalErased, PersonalKeyDropped, PersonalKeyRecorded };

/** Any fact about keys of personal data. */
export type PersonalKeyEvent = PersonalKeyRecorded | PersonalKeyDropped | PersonalErased;

/** Whom personal data is about: `shipment:<tracking number>`, `order:…` or `device:<id>`. */
export type Subject = string;

/** Kinds of records of which a part is sealed; bound to the sealed members with the subject. */
export type SealedType =
  'NotificationRecorded' | 'ShipmentAuthorized' | 'AuthorizationChangeAsked' | 'ShipmentCancelled'
  | 'AuthorizationAsked' | 'AuthorizationTried' | 'DeadLetter' | 'DeviceRegistered';

/** A data key in its wrapping; `id` is random. */
export interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
}

/** The keys of one subject as the state store has them. */
export type SubjectState =
  | { readonly kind: 'erased' }
  | { readonly kind: 'keys'; readonly keys: readonly WrappedKey[]; readonly current: string }
  /** Not in the log yet: the key that the first writer offered has to be appended. */
  | { readonly kind: 'offered'; readonly key: WrappedKey }
  | { readonly kind: 'none' };

/**
 * Keys of personal data in the state store. Every call rejects with `Unavailable`
 * `state_unavailable`, and with `state_not_ready` (applying only the first). Answers come in the
 * order of the questions.
 */
export interface PersonalKeyStates {
  find(subjects: readonly Subject[]): Promise<readonly SubjectState[]>;
  /** As {@link PersonalKeyStates.find}, and keeps the first key that is offered to a subject. */
  offer(
    offers: readonly { readonly subject: Subject; readonly key: WrappedKey }[],
  ): Promise<readonly SubjectState[]>;
  /** Makes keys usable that are in the log; what is the subject's by then is answered. */
  confirm(facts: readonly PersonalKeyRecorded[]): Promise<readonly SubjectState[]>;
  /**
   * Applies facts of the log; any order and repetition ends in the same state. Answers the keys of
   * erased subjects that nothing dropped yet.
   */
  apply(
    facts: readonly PersonalKeyEvent[],
  ): Promise<readonly Pick<PersonalKeyDropped, 'subject' | 'key_id'>[]>;
}

/** Sealed members that are not written yet: {@link SealedPersonal} with `characters` of text. */
export interface LongSealed extends Omit<SealedPersonal, 'sealed'> {
  readonly characters: number;
  /** Seals, and writes the text at a place. */
  write(target: Uint8Array, at: number): Steps<void>;
}

/** The keys of some subjects, for the time of one piece of work. */
export interface SubjectKeys {
  isErased(subject: Subject): boolean;
  /** Seals members with the subject's key. Undefined when it was erased: then they are dropped. */
  seal(type: SealedType, subject: Subject, personal: unknown): SealedPersonal | undefined;
  /**
   * The same for members of any size, in steps. `pieces` gives their JSON, or with `isSorted` the
   * same with the keys of each object in order; it is called more than once.
   */
  sealLong(
    type: SealedType, subject: Subject, pieces: (isSorted: boolean) => Iterable<Uint8Array>,
  ): Steps<LongSealed | undefined>;
  /**
   * The members that were sealed, every number as it was written; undefined when their key is gone.
   * Throws when they were sealed for another type or subject, or changed since.
   */
  open(type: SealedType, subject: Subject, sealed: SealedPersonal): unknown;
}

/**
 * Seals and opens personal data. Loading rejects with the Faults of the state store; for writing
 * also with those of the log, into which new keys go before they are used. Nothing is remembered,
 * so that an erasure counts everywhere at once.
 */
export interface PersonalSeals {
  forWriting(subjects: readonly Subject[], deadlineMs: number): Promise<SubjectKeys>;
  forReading(subjects: readonly Subject[]): Promise<SubjectKeys>;
}

/** The subject of everything about one shipment. */
export function shipmentSubject(trackingNumber: TrackingNumber): Subject {
  return `shipment:${trackingNumber}`;
}

/** The subject of one life of a device; its next registration has another id. */
export function deviceSubject(deviceId: DeviceId): Subject {
  return `device:${deviceId}`;
}

/** The subject of what a carrier is asked for about a transport order, before it has a number. */
export function orderSubject(clientId: ClientId, transportOrderId: TransportOrderId): Subject {
  return `order:${clientId}:${transportOrderId}`;
}
