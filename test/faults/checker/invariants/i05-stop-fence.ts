import type { Evidence, Try } from '../evidence.ts';
import { isDeviceData, triesOf, tryName } from '../look.ts';
import type { Verdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** I5 Stop fence: a call that began after a stop was answered is accepted by no gateway. */
export function stopFence(evidence: Evidence): Verdict {
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
  tries: readonly Try[], nameOf: (each: Try) => string,
): ReadonlyMap<string, Try> {
  const firsts = new Map<string, Try>();
  for (const each of tries) {
    const known = firsts.get(nameOf(each));
    if (known === undefined || each.to < known.to) firsts.set(nameOf(each), each);
  }
  return firsts;
}
