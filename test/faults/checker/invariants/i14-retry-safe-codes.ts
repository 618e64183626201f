import type { Evidence, ClientTry } from '../evidence.ts';
import { isDeviceData, textOf, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** Every status that the interface knows. */
const KNOWN = new Set([200, 201, 202, 208, 400, 401, 403, 404, 429, 500]);

/**
 * I14 Retry-safe codes: no outage makes a refusal, because a refused client never comes back; no
 * good call is a 5xx while nothing is wrong; no status is outside the interface.
 */
export function codesAreSafe(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I14');
  const excuses = excusesOf(evidence);
  const firstFault = Math.min(...evidence.faults.map(({ from }) => from), Infinity);
  for (const each of evidence.tries) {
    const { status } = each;
    if (status === null) continue;
    findings.examine();
    if (!KNOWN.has(status)) {
      findings.blame('forbidden-code', `${tryName(each)} got a status that is not in the interface.`);
    } else if (status >= 500 && each.to < firstFault) {
      findings.blame('forbidden-code', `${tryName(each)} failed before any fault began.`);
    } else if (each.outcome === 'fail' && !excuses(each)) {
      findings.blame('forbidden-code', `${tryName(each)} was refused forever (code `
        + `${textOf(each.body, 'code') || textOf(each.body, 'error')}), though it was right.`);
    }
  }
  return findings.verdict();
}

/** Says whether a refusal has a cause that the caller brought about. */
function excusesOf(evidence: Evidence): (each: ClientTry) => boolean {
  const stopped = earliest(triesOf(evidence, 'stop'), ({ args }) => args.device_id, 'from');
  const revoked = earliest(
    triesOf(evidence, 'revoke-token'), ({ args }) => args.subject_token_sha256, 'from',
  );
  const started = earliest(
    triesOf(evidence, 'start').filter(({ outcome }) => outcome === 'ok'),
    ({ args }) => args.device_id, 'to',
  );
  return (each) => {
    const { op, args, from, to } = each;
    if (args.meant_to_fail === true || revoked(args.token_sha256) < to) return true;
    if (isDeviceData(each)) return stopped(args.device_id) < to || started(args.device_id) > from;
    return op === 'start' && stopped(args.device_id) < to;
  };
}

/** The earliest begin or end of tries, by name; infinite when there is none. */
function earliest(
  tries: readonly ClientTry[], nameOf: (each: ClientTry) => string | undefined, end: 'from' | 'to',
): (name: string | undefined) => number {
  const times = new Map<string, number>();
  for (const each of tries) {
    const name = nameOf(each) ?? '';
    times.set(name, Math.min(each[end], times.get(name) ?? Infinity));
  }
  return (name) => times.get(name ?? '') ?? Infinity;
}
