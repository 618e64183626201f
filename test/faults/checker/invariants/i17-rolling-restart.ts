import type { Evidence, ClientTry } from '../evidence.ts';
import { fieldOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/**
 * I17 Rolling restart: SIGTERM of one process after the other is seen by no client. Each call has a
 * whole answer, and none is a 5xx. The clients call through a balancer: it sends calls to gateways
 * that said ready lately, and asks another one when no process listens. Checked only where a run
 * aims at it.
 */
export function restartsUnseen(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I17');
  if (!evidence.run.aims.includes('I17')) return findings.verdict();
  for (const each of evidence.tries) {
    // Runs share a cluster and its history: what was before this run is not its matter.
    if (each.from < 0) continue;
    findings.examine();
    if (each.status !== null && each.status < 500) continue;
    if (each.status === null && neverArrived(each)) continue;
    findings.blame('shutdown-error', `${tryName(each)} was broken by a restart: `
      + `${JSON.stringify(each.body)}.`);
  }
  return findings.verdict();
}

/** No gateway listened: a balancer goes on to the next gateway without harm. */
function neverArrived({ body }: ClientTry): boolean {
  const reason = typeof body === 'string' ? body : fieldOf(body, 'code') ?? fieldOf(body, 'error');
  return typeof reason === 'string' && reason.includes('ECONNREFUSED');
}
