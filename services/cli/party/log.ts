import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { PartyRecorded } from '../../kernel/parties.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { newestParty } from '../../domain/party/projection.ts';
import type { OperatorPorts } from '../ports.ts';

const TOPIC = TOPICS.parties.name;
const APPEND_MS_MAX = 15_000;

/** All parties as the log has them, by party id. */
export async function readParties(reader: LogReader): Promise<Map<string, PartyRecorded>> {
  const parties = new Map<string, PartyRecorded>();
  await eachFact<PartyRecorded>(reader, [TOPIC], (fact) => {
    parties.set(fact.party_id, newestParty(parties.get(fact.party_id), fact));
  });
  return parties;
}

/** Appends a party's next version. It holds as soon as the projector applied it. */
export async function recordParty(ports: OperatorPorts, party: PartyRecorded): Promise<void> {
  await ports.log.append({
    topic: TOPIC,
    key: party.party_id,
    value: Buffer.from(JSON.stringify(party)),
    headers: { 'received-at': String(party.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
