import type { Evidence } from '../evidence.ts';
import type { Verdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** How long everything may take to catch up after the last fault, in milliseconds. */
const SETTLE_MS_MAX = 60_000;

/** I16 Liveness: a minute after the last fault nothing lags, and nobody had to act. */
export function catchesUp(evidence: Evidence): Verdict {
  const findings = openFindings('I16');
  const { settled_ms, lag, allows } = evidence.run;
  if (allows.includes('stands-still')) return findings.verdict();
  findings.examine();
  const behind = Object.entries(lag).filter(([, records]) => records > 0)
    .map(([group, records]) => `${group} by ${records}`);
  if (settled_ms === null || settled_ms > SETTLE_MS_MAX || behind.length > 0) {
    const after = settled_ms === null ? `${SETTLE_MS_MAX}` : String(Math.round(settled_ms));
    findings.blame('never-settled', `${after} ms after the last fault the groups were behind: `
      + `${behind.join(', ') || 'none any more'}.`);
  }
  return findings.verdict();
}
