import type { Evidence } from '../evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** How long everything may take to catch up after the last fault, in milliseconds. */
const QUIET_MS_MAX = 60_000;

/** I16 Liveness: a minute after the last fault nothing lags, without help from an operator. */
export function catchesUp(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I16');
  const { quiet_after_ms, lag, allows } = evidence.run;
  if (allows.includes('stands-still')) return findings.verdict();
  findings.examine();
  const behind = Object.entries(lag).filter(([, records]) => records > 0)
    .map(([group, records]) => `${group} by ${records}`);
  if (quiet_after_ms === null || quiet_after_ms > QUIET_MS_MAX || behind.length > 0) {
    const after = quiet_after_ms === null ? `${QUIET_MS_MAX}` : String(Math.round(quiet_after_ms));
    findings.blame('never-quiet', `${after} ms after the last fault the groups were behind: `
      + `${behind.join(', ') || 'none any more'}.`);
  }
  return findings.verdict();
}
