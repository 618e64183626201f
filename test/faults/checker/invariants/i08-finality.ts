import type { Evidence } from '../evidence.ts';
import { foldJourneys, saidOf, type FoldedNotification } from '../fold-journeys.ts';
import { fieldOf, isFields, entryName, textOf } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';
import { kindOf } from './i03-replay.ts';

/**
 * I8 Finality: after the first final code in the order of the log nothing changes the shipment, and
 * exactly what came later is `ignored_after_final`.
 */
export function finalIsFinal(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I8');
  const said = saidOf(evidence);
  const journeys = foldJourneys(evidence);
  for (const journey of journeys.values()) {
    for (const folded of journey) {
      findings.examine();
      for (const entry of said.get(entryName(folded.entry)) ?? []) {
        checkOne(folded, textOf(entry.value, 'outcome'), entryName(entry), findings);
      }
    }
  }
  // A projector that stands still is behind the log, and says so.
  const isStill = evidence.run.allows.includes('stands-still');
  for (const [shipment, state] of isStill ? [] : storedShipments(evidence)) {
    const last = journeys.get(shipment)?.at(-1)?.after;
    if (last?.final !== true) continue;
    if (textOf(state, 'code') === last.code && fieldOf(state, 'final') === true) continue;
    findings.blame('final-violation', `${shipment} ended with ${last.code}, but Redis holds `
      + `${JSON.stringify(state)}.`);
  }
  return findings.verdict();
}

function checkOne(
  { entry, outcome }: FoldedNotification, given: string, at: string, findings: Findings,
): void {
  const isAfter = outcome === 'ignored_after_final';
  if (isAfter === (given === 'ignored_after_final')) return;
  findings.blame('final-violation', isAfter
    ? `${entryName(entry)} came after the final code of ${entry.key}, but ${at} calls it ${given}.`
    : `${entryName(entry)} came before any final code of ${entry.key}, but ${at} ignores it.`);
}

/** The folded state of each shipment in Redis. */
export function storedShipments(evidence: Evidence): ReadonlyMap<string, unknown> {
  const states = new Map<string, unknown>();
  for (const [key, value] of evidence.state) {
    const text = kindOf(key) === 'shipment' && isFields(value) ? value['journey'] : undefined;
    if (typeof text !== 'string') continue;
    states.set(key.split(':').slice(2).join(':'), fieldOf(JSON.parse(text), 'state'));
  }
  for (const [shipment, state] of packedShipments(evidence)) states.set(shipment, state);
  return states;
}

/** Finished ones, as ADR 0066 says that they are packed, read without the product's own code. */
function packedShipments(evidence: Evidence): ReadonlyMap<string, unknown> {
  const states = new Map<string, unknown>();
  for (const [key, value] of evidence.state) {
    if (kindOf(key) !== 'finished-shipments' || !isFields(value)) continue;
    const forms = evidence.state.get(`${key.split(':')[0] ?? ''}:shipment-forms`);
    for (const [shipment, packed] of Object.entries(value)) {
      if (shipment === 'v' || typeof packed !== 'string') continue;
      const form = textOf(forms, packed.slice(0, 8));
      const [status, code] = (JSON.parse(form === '' ? '[]' : form) as unknown[]).slice(6);
      const [, , , , , occurred = ''] = packed.slice(16).split(',');
      const lastMs = Number.parseInt(packed.slice(8, 16), 36);
      states.set(shipment, {
        ...(status === null ? {} : { status }), code, final: true,
        occurred_at_ms: lastMs - Number.parseInt(occurred, 36),
      });
    }
  }
  return states;
}
