import { randomUUID } from 'node:crypto';
import { anAudit } from '../../support/fake-audits.ts';
import { aFlood } from '../../support/fake-overflow.ts';
import type { WholeEdge } from '../../support/whole-edge.ts';

/** Lists what an operator asked for on the day of the examples, of any actor. */
export function audited(at: WholeEdge, id: string): Promise<Response> {
  at.audits.add(anAudit({ at_ms: Date.parse('2025-11-24T12:00:00Z') }));
  return at.call(id, { params: { actor: null, command: null, subject: null } });
}

/** Calls an operation about a provider that a table writer has moved. */
export function moved(at: WholeEdge, id: string): Promise<Response> {
  at.overflowSource.add(aFlood('acme'));
  return at.call(id);
}

/** Moves a device that was never registered. */
export function strangeDevice(at: WholeEdge, id: string): Promise<Response> {
  return at.call(id, {
    body: { subject: `device:${randomUUID()}`, state: 'in', reason: 'It floods.' },
  });
}
