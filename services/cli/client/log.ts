import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ClientRecorded } from '../../kernel/access.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { foldClient } from '../../domain/client/projection.ts';
import type { OperatorPorts } from '../ports.ts';

const TOPIC = TOPICS.clients.name;
const APPEND_MS_MAX = 15_000;

/** All clients as the log has them, by client id. The log is the truth; Redis is not asked. */
export async function readClients(reader: LogReader): Promise<Map<string, ClientRecorded>> {
  const clients = new Map<string, ClientRecorded>();
  await eachFact<ClientRecorded>(reader, [TOPIC], (fact) => {
    clients.set(fact.client_id, foldClient(clients.get(fact.client_id), fact));
  });
  return clients;
}

/** Appends a client's next version. It holds everywhere as soon as the projector applied it. */
export async function recordClient(ports: OperatorPorts, client: ClientRecorded): Promise<void> {
  await ports.log.append({
    topic: TOPIC,
    key: client.client_id,
    value: Buffer.from(JSON.stringify(client)),
    headers: { client: client.client_id, 'received-at': String(client.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
