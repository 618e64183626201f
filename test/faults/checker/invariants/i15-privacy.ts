import type { Evidence } from '../evidence.ts';
import { entryName, recordsOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings } from '../verdict.ts';

/**
 * I15 Privacy: no planted secret, name or image is in a log, a metric, an error body or a header of
 * a dead letter. The report says where, and never repeats the secret.
 */
export function nothingLeaks(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I15');
  const { canaries } = evidence.run;
  const search = (text: string, where: string): void => {
    findings.examine();
    for (const [at, canary] of canaries.entries()) {
      if (!text.includes(canary)) continue;
      findings.blame('leak', `Canary ${at + 1} of ${canaries.length} is in ${where}.`);
    }
  };
  for (const { source, canary } of evidence.sightings) {
    findings.examine();
    findings.blame('leak', `Canary ${canary + 1} of ${canaries.length} is in ${source}.`);
  }
  for (const each of evidence.tries) {
    if (each.outcome === 'ok') continue;
    search(JSON.stringify(each.body), `the error body of ${tryName(each)}`);
  }
  for (const entry of recordsOf(evidence, TOPIC.deadLetters)) {
    search(JSON.stringify(entry.headers), `the headers of the dead letter ${entryName(entry)}`);
  }
  return findings.verdict();
}
