import type { ClientId } from '../../kernel/ids.ts';

/** Where a row of the catalogue comes from; `sample` is only for trying out. */
export type CodeOrigin = 'interface' | 'deployment' | 'sample';

/** What is known about one code of the platform. */
export interface CodeRow {
  readonly description: string | undefined;
  /** Canonical status of a shipment after it; undefined leaves the status as it is. */
  readonly status: string | undefined;
  /** True when nothing after it changes the shipment any more. */
  readonly final: boolean;
  /** Fields that the interface makes mandatory, as RFC 6901 pointers; the edge refuses without. */
  readonly required: readonly string[];
  /** Fields that the deployment wants besides; without them the journey says what is missing. */
  readonly wanted: readonly string[];
  readonly origin: CodeOrigin;
}

/** One version of the code table of a deployment. */
export interface CodeCatalogue {
  readonly version: string;
  /** It holds for notifications received from then on, ms since 1970. */
  readonly validFromMs: number;
  readonly codes: ReadonlyMap<string, CodeRow>;
  /** The pairs of a carrier by its client id: code → its own codes. Others are not checked. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** What a code means for a shipment. An unmapped one is never final. */
export interface CodeMeaning {
  readonly unmapped: boolean;
  readonly status: string | undefined;
  readonly final: boolean;
  readonly wanted: readonly string[];
}

/** Statuses that end a shipment, whatever their codes are (decisions.md, Notification codes). */
export const FINAL_STATUSES: readonly string[] = [
  'delivered', 'returned', 'cancelled', 'lost_or_destroyed',
];

const UNMAPPED: CodeMeaning = { unmapped: true, status: undefined, final: false, wanted: [] };

/** Looks a pair of codes up for one carrier. */
export function meaningOf(
  catalogue: CodeCatalogue, clientId: ClientId, code: string, carrierCode: string,
): CodeMeaning {
  const row = catalogue.codes.get(code);
  if (row === undefined) return UNMAPPED;
  const pairs = catalogue.pairs.get(clientId);
  if (pairs !== undefined && pairs.get(code)?.has(carrierCode) !== true) return UNMAPPED;
  return { unmapped: false, status: row.status, final: row.final, wanted: row.wanted };
}

/**
 * The version that holds for a notification received then: the newest in the log of those that
 * were valid. The first of the list, which is that of the interface alone, is always valid.
 */
export function catalogueAt(
  versions: readonly [CodeCatalogue, ...CodeCatalogue[]], receivedAtMs: number,
): CodeCatalogue {
  return versions.findLast(({ validFromMs }) => validFromMs <= receivedAtMs) ?? versions[0];
}

/** How many codes of a catalogue end a shipment; while there are none, no shipment ever ends. */
export function finalCodesOf({ codes }: CodeCatalogue): number {
  return [...codes.values()].filter(({ final }) => final).length;
}
