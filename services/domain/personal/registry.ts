import { PERSONAL_MEMBERS } from '../../../schemas/generated/personal.ts';
import type { SealedType } from '../../kernel/personal.ts';

/** What kind of personal data a member is. */
export type PersonalClass =
  'name' | 'document' | 'contact' | 'place' | 'vehicle' | 'free text' | 'secret' | 'purchase'
  | 'device' | 'unknown';

/** One row: where in a record, what it is, and what it is for. */
export interface PersonalField {
  /** Names from the record down, divided by points; everything below it belongs to it. */
  readonly path: string;
  readonly class: PersonalClass;
  readonly purpose: string;
}

/** What is known about the members of one kind of record. */
export interface PersonalRecord {
  /** Whose key seals it. */
  readonly subject: 'shipment' | 'order' | 'device';
  /** Who opens it again. */
  readonly readers: readonly string[];
  readonly personal: readonly PersonalField[];
  /**
   * Members that no one is known by: only these stay in clear. `[]` means the items of a list. A
   * member that is in no schema is sealed as `unknown`.
   */
  readonly clear: readonly string[];
}

/**
 * Every kind of record that may hold personal data: which members are sealed, and which are not.
 * Generated from the annotations `x-personal` of the schemas (schemas/README.md).
 */
export const PERSONAL_RECORDS: Readonly<Record<SealedType, PersonalRecord>> = PERSONAL_MEMBERS;
