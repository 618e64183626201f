import type { Evidence } from '../evidence.ts';
import { endsByRecord, endsIn, defectDeadLetters } from '../own-ends.ts';
import { groupBy } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** How often a process may end of its own accord in a run. */
const ENDS_MAX = 3;

/**
 * I18 No crash loop: no process ends of its own accord again and again, nor twice at one record.
 * An outage is waited for. Ends by a signal are faults and do not count. Where a defect is seeded,
 * processes end at its record as often as the run says, and then it is a dead letter.
 */
export function noCrashLoop(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I18');
  if (evidence.run.allows.includes('stands-still')) return findings.verdict();
  findings.examine(evidence.run.processes.length);
  for (const [process, own] of groupBy(endsIn(evidence), (end) => end.process)) {
    if (own.length > ENDS_MAX) {
      findings.blame('crash-loop', `${process} ended ${own.length} times of its own accord, `
        + `at last with: ${own.at(-1)?.reason ?? ''}.`);
    }
  }
  checkRecords(evidence, findings);
  return findings.verdict();
}

function checkRecords(evidence: Evidence, findings: Findings): void {
  const { ends_at_record_max } = evidence.run;
  const deadLetters = defectDeadLetters(evidence);
  for (const [record, own] of endsByRecord(evidence)) {
    const isOwed = ends_at_record_max !== undefined;
    if (own.length <= (ends_at_record_max ?? 1) && (!isOwed || deadLetters.has(record))) continue;
    const names = [...new Set(own.map(({ process }) => process))].join(' and ');
    findings.blame('crash-loop', `${names} ended ${own.length} times at the record ${record}`
      + `${isOwed && !deadLetters.has(record) ? ', which is no dead letter' : ''}.`);
  }
}
