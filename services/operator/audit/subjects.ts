import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import type { Secrets } from '../../kernel/secrets.ts';

/** Ids that are made here, or chosen by operators: they name no person, and stand as they are. */
const IN_CLEAR = {
  'client': /^\d{15}$/,
  'party': /^p-[0-9a-f]{12}$/,
  'webhook': /^w-[0-9a-f]{12}$/,
  'device': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'command': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'call': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'dead-letter': /^[\w.-]{1,80}:\d{1,9}:\d{1,18}$/,
  'provider': /^[a-z0-9][a-z0-9_-]{0,63}$/,
  'zone': /^[a-z0-9][a-z0-9_-]{0,63}$/,
  'topic': /^[a-z][a-z.-]{0,63}\.v\d{1,3}$/,
  'analyst': /^[a-z][a-z0-9_]{1,30}$/,
  'backup': /^\d{4}-\d{2}-\d{2}\.\d{1,4}$/,
  'client-name': undefined,
  'driver': undefined,
  'shipment': undefined,
  'order': undefined,
  'key': undefined,
  'code': undefined,
} as const satisfies Readonly<Record<string, RegExp | undefined>>;

/** What a command may be about. */
export type SubjectKind = keyof typeof IN_CLEAR;

/** Every kind, for help and messages. */
export const SUBJECT_KINDS = Object.keys(IN_CLEAR) as readonly SubjectKind[];

const HASH_DIGITS = 32;

/** One subject of a command, as its words name it. */
export interface CommandSubject {
  readonly kind: SubjectKind;
  readonly text: string;
}

/**
 * A subject as the audit keeps it: an id of ours as it is, of anything else the keyed hash, because
 * such a text may name a person. The same text has the same hash.
 */
export function auditedSubject(secrets: Pick<Secrets, 'hash'>, { kind, text }: CommandSubject): string {
  if (IN_CLEAR[kind]?.test(text) === true) return `${kind}:${text}`;
  const plain = kind === 'shipment' ? canonicalNumber(text) : text;
  return `${kind}:#${secrets.hash(`audit:${kind}:${plain}`).slice(0, HASH_DIGITS)}`;
}
