import type { Evidence, ClientTry } from '../evidence.ts';
import {
  clientIds, isDeviceData, itemName, entryName, entriesByMark, sentItems, textOf, triesOf, tryName,
} from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';

/** I12 Isolation: what a client sends is kept under its name; only its own devices take calls. */
export function clientsApart(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I12');
  checkOwners(evidence, findings);
  checkDevices(evidence, findings);
  return findings.verdict();
}

function checkOwners(evidence: Evidence, findings: Findings): void {
  const ids = clientIds(evidence);
  const entries = entriesByMark(evidence);
  const senders = new Map<string, ClientTry>();
  for (const { item, by } of sentItems(evidence.tries)) {
    if (by.outcome === 'fail' || !ids.has(by.client)) continue;
    senders.set(itemName(item), by);
    for (const entry of entries.get(`${item.kind} ${item.mark}`) ?? []) {
      findings.examine();
      if (ids.get(by.client)?.has(entry.headers['client'] ?? '') === true) continue;
      findings.blame('wrong-owner', `${entryName(entry)} is of client `
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
