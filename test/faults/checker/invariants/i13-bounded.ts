import { anyFault } from '../commands.ts';
import type { Evidence } from '../evidence.ts';
import { groupBy, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** What a process may hold at most, whatever is down; and how long an answer may take. */
export const CEILINGS = { rssBytes: 1_073_741_824, sockets: 2_000, answerMs: 15_000 } as const;

/**
 * I13 Bounded: memory and sockets of every process stay under fixed ceilings, and an answer comes
 * within the deadline of requests unless the gateway itself is held up.
 */
export function staysBounded(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I13');
  for (const [process, own] of groupBy(evidence.samples, (sample) => sample.process)) {
    findings.examine(own.length);
    const rss = Math.max(...own.map(({ rss_bytes }) => rss_bytes));
    const sockets = Math.max(...own.map((sample) => sample.sockets));
    if (rss > CEILINGS.rssBytes) {
      findings.blame('unbounded', `${process} grew to ${Math.round(rss / 1_048_576)} MiB; the `
        + `ceiling is ${CEILINGS.rssBytes / 1_048_576} MiB.`);
    }
    if (sockets > CEILINGS.sockets) {
      findings.blame('unbounded', `${process} held ${sockets} sockets; the ceiling is `
        + `${CEILINGS.sockets}.`);
    }
  }
  for (const each of evidence.tries) {
    if (each.status === null) continue;
    findings.examine();
    const heldUp = evidence.faults.filter(({ target }) => target === each.gateway);
    if (each.to - each.from <= CEILINGS.answerMs || anyFault(heldUp, each.from, each.to)) continue;
    findings.blame('slow-answer', `${tryName(each)} took ${Math.round(each.to - each.from)} ms.`);
  }
  return findings.verdict();
}
