import { anyFault } from '../commands.ts';
import type { Evidence } from '../evidence.ts';
import { checkFacts } from '../live/facts.ts';
import { checkMap } from '../live/maps.ts';
import { viewersOf, type SeenBy } from '../live/viewers.ts';
import { textOf } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** A copy that a fault keeps from the log is behind for so long after it. */
const BEHIND_MS = 20_000;

/**
 * I20 Live: the map of each viewer of a live feed ends as the last positions are, and is fresh soon
 * after the heal. Of the facts none is missing, none comes twice and none out of order, unless a
 * reset says so; and a feed is reset only where it could not go on.
 */
export function liveFollows(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I20');
  for (const viewer of viewersOf(evidence)) {
    checkAnswers(evidence, viewer, findings);
    if (viewer.feed === 'fixes') checkMap(evidence, viewer, findings);
    else checkFacts(evidence, viewer, findings);
  }
  return findings.verdict();
}

/** A viewer gives up at a refusal, and reads elsewhere what a reset leaves out. */
function checkAnswers(evidence: Evidence, viewer: SeenBy, findings: Findings): void {
  for (const { event, status = 0, gateway, at, data } of viewer.lines) {
    if (event === 'answer' && status >= 400 && status < 429) {
      findings.blame('forbidden-code', `${viewer.name} was refused with ${status} by ${gateway}.`);
    }
    if (event !== 'reset') continue;
    findings.examine();
    const reason = textOf(data, 'reason');
    if (isDue(evidence, viewer, reason, at)) continue;
    findings.blame('undue-reset', `${gateway} reset ${viewer.name} after ${Math.round(at)} ms with `
      + `${reason || 'no reason'}, which nothing in the run explains.`);
  }
}

/** True where the feed could not go on: its copy began again, was behind, or the log was cut. */
function isDue(
  { run: { allows }, faults }: Evidence, { feed }: SeenBy, reason: string, at: number,
): boolean {
  switch (reason) {
    case 'too_far': return feed === 'fixes';
    case 'ahead': return anyFault(faults, at - BEHIND_MS, at);
    case 'removed':
    case 'remade': return allows.includes('log-lost');
    default: return false;
  }
}
