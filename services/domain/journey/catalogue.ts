import type { ClientId } from '../../kernel/ids.ts';

/** Where a row of the catalogue comes from; `example` is only for trying out. */
export type CodeOrigin = 'interface' | 'deployment' | 'example';

/** What is known about one code of the platform. */
export interface CodeRow {
  readonly name: string | undefined;
  /** Canonical status of a shipment after it; undefined leaves the status as it is. */
  readonly status: string | undefined;
  /** True when nothing after it changes the shipment any more. */
  readonly final: boolean;
  /** Fields that the interface makes mandatory, as RFC 6901 pointers. */
  readonly required: readonly string[];
  readonly origin: CodeOrigin;
}

/** The code table of a deployment. */
export interface CodeCatalogue {
  readonly version: string;
  readonly codes: ReadonlyMap<string, CodeRow>;
  /** The pairs of a carrier by its client id: code → its own codes. Others are not checked. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** What a code means for a shipment. An unmapped one is never final. */
export interface CodeMeaning {
  readonly unmapped: boolean;
  readonly status: string | undefined;
  readonly final: boolean;
}

/** Statuses that end a shipment, whatever their codes are (decisions.md, Notification codes). */
export const FINAL_STATUSES: readonly string[] = [
  'delivered', 'returned', 'cancelled', 'lost_or_destroyed',
];

const UNMAPPED: CodeMeaning = { unmapped: true, status: undefined, final: false };

/** Looks a pair of codes up for one carrier. */
export function meaningOf(
  catalogue: CodeCatalogue, clientId: ClientId, code: string, carrierCode: string,
): CodeMeaning {
  const row = catalogue.codes.get(code);
  if (row === undefined) return UNMAPPED;
  const pairs = catalogue.pairs.get(clientId);
  if (pairs !== undefined && pairs.get(code)?.has(carrierCode) !== true) return UNMAPPED;
  return { unmapped: false, status: row.status, final: row.final };
}
