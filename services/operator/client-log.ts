import type { ClientRecorded } from '../kernel/access.ts';
import { isDecoded, type LogReader } from '../kernel/record-log.ts';
import { newestClient } from '../domain/client/client.ts';
import type { OperatorPorts } from './ports.ts';

const TOPIC = 'oauth.clients.v1';
const APPEND_MS_MAX = 15_000;

/** All clients as the log has them, by client id. The log is the truth; Redis is not asked. */
export async function readClients(reader: LogReader): Promise<Map<string, ClientRecorded>> {
  const clients = new Map<string, ClientRecorded>();
  await reader.readToEnd([TOPIC], async (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const fact = JSON.parse(record.value.toString('utf8')) as ClientRecorded;
      clients.set(fact.client_id, newestClient(clients.get(fact.client_id), fact));
    }
    await Promise.resolve();
  });
  return clients;
}

/** Appends a client's next version. It holds everywhere as soon as the access-keeper applied it. */
export async function recordClient(ports: OperatorPorts, client: ClientRecorded): Promise<void> {
  await ports.log.append({
    topic: TOPIC,
    key: client.client_id,
    value: Buffer.from(JSON.stringify(client)),
    headers: { client: client.client_id, 'received-at': String(client.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
