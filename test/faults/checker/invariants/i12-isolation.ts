import type { Evidence, Try } from '../evidence.ts';
import {
  clientIds, isDeviceData, itemName, placeName, placesByMark, sentItems, textOf, triesOf, tryName,
} from '../look.ts';
import type { Verdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** I12 Isolation: what a client sends is kept under its name; only its own devices take calls. */
export function clientsApart(evidence: Evidence): Verdict {
  const findings = openFindings('I12');
  judgeOwners(evidence, findings);
  checkDevices(evidence, findings);
  return findings.verdict();
}

function judgeOwners(evidence: Evidence, findings: Findings): void {
  const ids = clientIds(evidence);
  const places = placesByMark(evidence);
  const senders = new Map<string, Try>();
  for (const { item, by } of sentItems(evidence.tries)) {
    if (by.outcome === 'fail' || !ids.has(by.client)) continue;
    senders.set(itemName(item), by);
    for (const entry of places.get(`${item.kind} ${item.mark}`) ?? []) {
      findings.examine();
      if (ids.get(by.client)?.has(entry.headers['client'] ?? '') === true) continue;
      findings.blame('wrong-owner', `${placeName(entry)} is of client `
        + `${entry.headers['client'] ?? 'nobody'}, but ${tryName(by)} sent it.`);
    }
  }
  for (const row of evidence.rows) {
    const by = senders.get(itemName(row));
    if (by === undefined || row.client_id === '') continue;
    findings.examine();
    const isProvider = row.provider === '' || row.provider === by.args.provider;
    if (isProvider && ids.get(by.client)?.has(row.client_id) === true) continue;
    findings.blame('wrong-owner', `The row of ${itemName(row)} is of client ${row.client_id} and `
      + `provider ${row.provider}, but ${tryName(by)} sent it.`);
  }
}

function checkDevices(evidence: Evidence, findings: Findings): void {
  const owners = new Map(triesOf(evidence, 'register')
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ body, client }) => [textOf(body, 'id'), client]));
  for (const each of evidence.tries) {
    const owner = owners.get(each.args.device_id ?? '');
    const speaks = isDeviceData(each) || each.op === 'start' || each.op === 'stop';
    if (owner === undefined || !speaks) continue;
    findings.examine();
    if (each.outcome !== 'ok' || each.client === owner) continue;
    findings.blame('foreign-accept', `${tryName(each)} was accepted for the device `
      + `${each.args.device_id ?? ''} of ${owner}.`);
  }
}
