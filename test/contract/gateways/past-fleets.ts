import { aPastFix } from '../../support/fake-past-fleet.ts';
import { CALLER, type WholeEdge } from '../../support/whole-edge.ts';

/** The fleet of now: the time of the examples will be over 400 days ago one day. */
export function recently(at: WholeEdge, id: string): Promise<Response> {
  at.pastFleet.fixes.push(aPastFix({ client_id: CALLER }));
  return at.call(id, { params: { at: new Date().toISOString(), cursor: null } });
}
