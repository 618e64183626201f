import type { Evidence } from '../evidence.ts';
import { groupBy } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** How often a process may end of its own accord in a run. */
const ENDS_MAX = 3;
/** How an error names the record at which it was thrown; a list of records names none. */
const RECORD = /a defect at (\S+)/;

/**
 * I18 No crash loop: no process ends of its own accord again and again, nor twice at one record.
 * An outage is waited for. Ends by a signal are faults and do not count.
 */
export function noCrashLoop(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I18');
  if (evidence.run.allows.includes('stands-still')) return findings.verdict();
  findings.examine(evidence.run.processes.length);
  // Runs share a cluster: what ended before this run is not its matter.
  const ends = evidence.ends.filter(({ at_ms }) => at_ms >= evidence.run.epoch.at_ms);
  for (const [process, own] of groupBy(ends, (end) => end.process)) {
    if (own.length > ENDS_MAX) {
      findings.blame('crash-loop', `${process} ended ${own.length} times of its own accord, `
        + `at last with: ${own.at(-1)?.reason ?? ''}.`);
    }
  }
  const atRecords = ends.flatMap(({ process, reason }) => {
    const record = RECORD.exec(reason)?.[1];
    return record === undefined ? [] : [{ process, record }];
  });
  for (const [record, own] of groupBy(atRecords, (end) => end.record)) {
    if (own.length < 2) continue;
    const names = [...new Set(own.map(({ process }) => process))].join(' and ');
    findings.blame('crash-loop', `${names} ended ${own.length} times at the record ${record}.`);
  }
  return findings.verdict();
}
