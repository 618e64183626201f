import type { FuzzCounts, FuzzFinding, BodyFuzzResult } from '../../support/every-body/fuzz.ts';

/** The result of a run so far. */
export interface BodiesTally extends BodyFuzzResult {
  /** Of all findings; only some are kept. */
  readonly found: number;
  /** Seconds of the clock in which threads worked, over all runs that were resumed. */
  readonly seconds: number;
}

const FINDINGS_KEPT_MAX = 20;

/** Nothing yet. */
export const NO_BODIES: BodiesTally = { counts: {}, findings: [], found: 0, seconds: 0 };

/** The tally with one more result. */
export function addResult(tally: BodiesTally, { counts, findings }: BodyFuzzResult): BodiesTally {
  const all: Record<string, FuzzCounts> = { ...tally.counts };
  for (const [id, { sent, accepted }] of Object.entries(counts)) {
    const { sent: sentBefore = 0, accepted: acceptedBefore = 0 } = all[id] ?? {};
    all[id] = { sent: sentBefore + sent, accepted: acceptedBefore + accepted };
  }
  return {
    ...tally,
    counts: all,
    findings: [...tally.findings, ...findings].slice(0, FINDINGS_KEPT_MAX),
    found: tally.found + findings.length,
  };
}

/** Bodies that were sent, of all operations. */
export function sentIn({ counts }: BodiesTally): number {
  return sumOf(counts, 'sent');
}

/** The counts as one line. */
export function describeBodies(tally: BodiesTally): string {
  const sent = sentIn(tally);
  const accepted = sumOf(tally.counts, 'accepted');
  const rate = tally.seconds === 0 ? 0 : Math.round(sent / tally.seconds);
  return `sent=${sent} accepted=${accepted} refused=${sent - accepted} findings=${tally.found} `
    + `seconds=${Math.round(tally.seconds)} per_second=${rate}`;
}

/** What is wrong with a whole run of bodies that some operations refuse; empty when nothing is. */
export function complaintsOf(
  { counts, found }: BodiesTally, refusedBy: readonly string[],
): readonly string[] {
  const idle = Object.entries(counts)
    .filter(([id, { accepted }]) => accepted === 0 && !refusedBy.includes(id));
  return [
    ...(found === 0 ? [] : [`${found} bodies broke a rule`]),
    ...(Object.keys(counts).length === 0 ? ['no body was sent'] : []),
    // A server that refuses everything keeps every promise about what it accepts.
    ...idle.map(([id]) => `${id} accepted none`),
  ];
}

/** A finding in two lines. */
export function describeFinding({ number, id, fault, base64 }: FuzzFinding): string {
  return `FINDING ${number} ${id}: ${fault}\n  ${base64}`;
}

function sumOf(counts: BodiesTally['counts'], name: keyof FuzzCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count[name], 0);
}
