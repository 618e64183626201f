import type { NumberRange } from '../domain/journey/owner.ts';
import type { ClientRecorded } from '../kernel/access.ts';
import type { StateFields, StateKey } from '../kernel/state-store.ts';
import { jsonIn, type NextEntry } from './entries.ts';

/** The one entry with the declared ranges of all carriers, a field for each client. */
export const NUMBER_RANGES: StateKey = { shard: 0, kind: 'number-ranges', id: '' };

interface Declared {
  readonly version: number;
  readonly at_ms: number;
  readonly prefixes: readonly string[];
}

/** The ranges that carriers declared. */
export function rangesIn(fields: StateFields | undefined): readonly NumberRange[] {
  if (fields === undefined) return [];
  return [...fields.keys()].flatMap((client_id) => {
    const declared = jsonIn<Declared>(fields, client_id);
    return declared === undefined
      ? []
      : [{ client_id, prefixes: declared.prefixes, at_ms: declared.at_ms }];
  });
}

/**
 * The entry with what a client declares; the newest version of it counts. A sandbox client has no
 * numbers that others would lose.
 */
export function withRanges(
  fields: StateFields, { client_id, version, at_ms, tracking_numbers, sandbox }: ClientRecorded,
): NextEntry {
  const kept = jsonIn<Declared>(fields, client_id);
  const others = Object.fromEntries(fields);
  if (sandbox === true) return { fields: others };
  const isOld = kept !== undefined && kept.version >= version;
  if (isOld || (kept === undefined && tracking_numbers === undefined)) return { fields: others };
  const declared: Declared = { version, at_ms, prefixes: tracking_numbers ?? [] };
  return { fields: { ...others, [client_id]: JSON.stringify(declared) } };
}
