import { aParty } from '../../support/command-facts.ts';
import { CALLER, type WholeEdge } from '../../support/whole-edge.ts';

const PARTY = 'p-1f2e3d4c5b6a';

/** Calls with the party of the examples as a party of the caller. */
export async function withOwnParty(at: WholeEdge, id: string): Promise<Response> {
  await at.commands.parties.apply(aParty({ party_id: PARTY, client_id: CALLER }));
  return at.call(id);
}

/** Asks for the addresses of the caller after one was examined in part. */
export async function examined(at: WholeEdge, id: string): Promise<Response> {
  const { examinations } = at.commands;
  await examinations.ask({ partyId: PARTY, clientId: CALLER, country: 'BR', run: 'example' });
  const [asked] = await examinations.find([PARTY]);
  if (asked === undefined) throw new Error('The example was not asked for.');
  await examinations.begin(asked, 10);
  await examinations.add(asked, {
    id: 'command-tracking', level: 'must', outcome: 'failed',
    title: 'start_tracking and stop_tracking get 200 and success, also when repeated',
    reasons: ['POST /rtt/commands answered 204, not 200'],
  });
  return withOwnParty(at, id);
}
