import type { Evidence, ClientTry } from '../evidence.ts';
import { groupBy, isDeviceData, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';

/**
 * I6 Start: nothing is accepted for a device before a client began to start it, and a start or a
 * stop that happened once is 200 once; afterwards it is 208.
 */
export function startFirst(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I6');
  const starts = groupBy(
    triesOf(evidence, 'start').filter(({ outcome }) => outcome !== 'fail'),
    ({ args }) => args.device_id ?? '',
  );
  for (const each of evidence.tries) {
    if (!isDeviceData(each) || each.outcome !== 'ok') continue;
    findings.examine();
    const begun = starts.get(each.args.device_id ?? '') ?? [];
    if (begun.some(({ from }) => from < each.to)) continue;
    findings.blame('early-accept',
      `${tryName(each)} was accepted, but no client had started ${each.args.device_id ?? ''}.`);
  }
  for (const op of ['start', 'stop'] as const) checkOnce(triesOf(evidence, op), findings);
  return findings.verdict();
}

function checkOnce(tries: readonly ClientTry[], findings: Findings): void {
  const happened = tries.filter(({ status }) => status === 200);
  for (const [device, [first, second]] of groupBy(happened, ({ args }) => args.device_id ?? '')) {
    findings.examine();
    if (first === undefined || second === undefined) continue;
    findings.blame('double-200', `The ${first.op} of ${device} happened twice: ${tryName(first)} `
      + `and ${tryName(second)}; the second should have been 208.`);
  }
}
