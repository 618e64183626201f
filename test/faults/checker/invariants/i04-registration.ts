import type { Evidence, ClientTry } from '../evidence.ts';
import { fieldOf, groupBy, entryName, recordsOf, textOf, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** What one life of an entity is named by in the log. */
const LIFE = ['client_id', 'entity_type', 'entity_id', 'entity_hash', 'generation'];

/**
 * I4 Registration: one device has one 201; every 201 and 208 of an entity has the same id until the
 * device is stopped; the log has one device for each owner, entity and generation. The log names
 * an entity by a keyed hash; older records name it by its id.
 */
export function oneRegistration(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I4');
  const answered = triesOf(evidence, 'register').filter(({ outcome }) => outcome === 'ok');
  const stops = triesOf(evidence, 'stop').filter(({ outcome }) => outcome !== 'fail');
  for (const own of groupBy(answered, entityOf).values()) {
    findings.examine(own.length);
    checkFirsts(own, findings);
    checkIds(own, stops, findings);
  }
  checkLog(evidence, findings);
  return findings.verdict();
}

function entityOf({ client, args }: ClientTry): string {
  return JSON.stringify([client, args.entity_type, args.entity_id]);
}

function idOf({ body }: ClientTry): string {
  return textOf(body, 'id');
}

function checkFirsts(own: readonly ClientTry[], findings: Findings): void {
  for (const [id, tries] of groupBy(own, idOf)) {
    const [first, second] = tries.filter(({ status }) => status === 201);
    if (first === undefined) continue;
    if (second !== undefined) {
      findings.blame('double-201', `The device ${id} was created twice: ${tryName(first)} and `
        + `${tryName(second)}.`);
    }
    const known = tries.find(({ status, to }) => status === 208 && to < first.from);
    if (known !== undefined) {
      findings.blame('double-201', `${tryName(first)} created the device ${id}, which `
        + `${tryName(known)} had found there before.`);
    }
  }
}

/** Two ids need a stop between them; `own` is in the order of the answers. */
function checkIds(
  own: readonly ClientTry[], stops: readonly ClientTry[], findings: Findings,
): void {
  for (const [at, second] of own.entries()) {
    const first = own[at - 1];
    if (first === undefined || idOf(first) === idOf(second)) continue;
    const until = Math.max(first.to, second.to);
    const isStopped = stops.some(({ args, from }) => (
      (args.device_id === idOf(first) || args.device_id === idOf(second)) && from < until
    ));
    if (isStopped) continue;
    findings.blame('id-mismatch', `${tryName(first)} answered the device ${idOf(first)} and `
      + `${tryName(second)} ${idOf(second)}, without a stop in between.`);
  }
}

function checkLog(evidence: Evidence, findings: Findings): void {
  const facts = recordsOf(evidence, TOPIC.lifecycle)
    .filter(({ value }) => fieldOf(value, 'type') === 'DeviceRegistered');
  const lives = groupBy(facts, ({ value }) => JSON.stringify(
    LIFE.map((name) => fieldOf(value, name)),
  ));
  for (const [life, own] of lives) {
    findings.examine();
    const [first, other] = [...groupBy(own, ({ value }) => textOf(value, 'device_id')).values()];
    if (first?.[0] === undefined || other?.[0] === undefined) continue;
    findings.blame('id-mismatch', `The log has two devices for ${life}: at ${entryName(first[0])} `
      + `and ${entryName(other[0])}.`);
  }
}
