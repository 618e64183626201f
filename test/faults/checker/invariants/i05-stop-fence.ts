import type { Evidence, ClientTry } from '../evidence.ts';
import { isDeviceData, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** I5 Stop fence: a call that began after a stop was answered is accepted by no gateway. */
export function stopFence(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I5');
  const stops = firstBy(
    triesOf(evidence, 'stop').filter(({ outcome }) => outcome === 'ok'),
    ({ args }) => args.device_id ?? '',
  );
  for (const each of evidence.tries) {
    const stop = stops.get(each.args.device_id ?? '');
    if (stop === undefined || !(isDeviceData(each) || each.op === 'start')) continue;
    findings.examine();
    if (each.outcome !== 'ok' || each.from <= stop.to) continue;
    findings.blame('stale-accept', `${tryName(each)} was accepted for the device `
      + `${each.args.device_id ?? ''}, ${Math.round(each.from - stop.to)} ms after `
      + `${tryName(stop)} had been answered.`);
  }
  return findings.verdict();
}

/** The try that returned first, by name. */
export function firstBy(
  tries: readonly ClientTry[], nameOf: (each: ClientTry) => string,
): ReadonlyMap<string, ClientTry> {
  const firsts = new Map<string, ClientTry>();
  for (const each of tries) {
    const known = firsts.get(nameOf(each));
    if (known === undefined || each.to < known.to) firsts.set(nameOf(each), each);
  }
  return firsts;
}
