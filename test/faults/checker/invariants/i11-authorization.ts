import type { Evidence, ClientTry } from '../evidence.ts';
import { fieldOf, groupBy, entryName, recordsOf, textOf, triesOf, tryName } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/**
 * I11 Authorization: a transport order has one tracking number until it is cancelled, and no two
 * orders share one.
 */
export function oneNumber(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I11');
  const answered = triesOf(evidence, 'authorize').filter(({ outcome }) => outcome === 'ok');
  const cancels = triesOf(evidence, 'cancel').filter(({ outcome }) => outcome !== 'fail');
  for (const own of groupBy(answered, orderOf).values()) {
    findings.examine(own.length);
    checkOrder(own, cancels, findings);
  }
  checkSharing(answered, findings);
  checkLog(evidence, findings);
  return findings.verdict();
}

function orderOf({ client, args }: ClientTry): string {
  return JSON.stringify([client, args.transport_order_id]);
}

function numberOf({ body }: ClientTry): string {
  return textOf(body, 'tracking_number');
}

function checkOrder(
  own: readonly ClientTry[], cancels: readonly ClientTry[], findings: Findings,
): void {
  for (const [at, second] of own.entries()) {
    const first = own[at - 1];
    if (first === undefined || numberOf(first) === numberOf(second)) continue;
    const until = Math.max(first.to, second.to);
    if (cancels.some((each) => orderOf(each) === orderOf(first) && each.from < until)) continue;
    findings.blame('id-mismatch', `${tryName(first)} gave ${numberOf(first)} and ${tryName(second)} `
      + `gave ${numberOf(second)} for one transport order, without a cancellation in between.`);
  }
}

function checkSharing(answered: readonly ClientTry[], findings: Findings): void {
  for (const [number, own] of groupBy(answered, numberOf)) {
    const [one, other] = [...groupBy(own, orderOf).values()].map((tries) => tries[0]);
    if (one === undefined || other === undefined) continue;
    findings.blame('shared-number', `${number} was given twice: ${tryName(one)} for `
      + `${one.args.transport_order_id ?? ''}, ${tryName(other)} for `
      + `${other.args.transport_order_id ?? ''}.`);
  }
}

/** In the log one epoch of an order has one number. */
function checkLog(evidence: Evidence, findings: Findings): void {
  const facts = recordsOf(evidence, TOPIC.authorizations)
    .filter(({ value }) => fieldOf(value, 'type') === 'ShipmentAuthorized');
  const epochs = groupBy(facts, ({ value }) => JSON.stringify(
    ['client_id', 'transport_order_id', 'epoch'].map((name) => fieldOf(value, name)),
  ));
  for (const [epoch, own] of epochs) {
    findings.examine();
    const [one, other] = [...groupBy(own, ({ value }) => textOf(value, 'tracking_number')).values()];
    if (one?.[0] === undefined || other?.[0] === undefined) continue;
    findings.blame('id-mismatch', `The log has two numbers for ${epoch}: at ${entryName(one[0])} `
      + `and ${entryName(other[0])}.`);
  }
}
