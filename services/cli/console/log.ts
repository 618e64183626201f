import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ClientRecorded, TokenIssued } from '../../kernel/access.ts';
import { readClients, recordClient } from '../client/log.ts';
import type { OperatorPorts } from '../ports.ts';

const APPEND_MS_MAX = 15_000;

/** User of the client that operators sign in as; it has no secret, so nothing else can. */
const OPERATOR_USER = 'rastro-console';

/** The client of that id; undefined where there is none. */
export async function findClient(
  { reader }: OperatorPorts, id: string,
): Promise<ClientRecorded | undefined> {
  return (await readClients(reader)).get(id);
}

/** The client that operators sign in as: added with the first link, and sees all but persons. */
export async function operatorClient(ports: OperatorPorts): Promise<ClientRecorded> {
  const known = [...(await readClients(ports.reader)).values()]
    .find(({ user_id }) => user_id === OPERATOR_USER);
  if (known !== undefined) return known;
  const client: ClientRecorded = {
    type: 'ClientRecorded', client_id: ports.newClientId(), user_id: OPERATOR_USER,
    name: 'Operators in the console', providers: [], audiences: ['platform'],
    scopes: ['platform:read', 'admin'], secrets: [], status: 'active', version: 1,
    at_ms: ports.clock.nowMs(),
  };
  await recordClient(ports, client);
  return client;
}

/** Appends a link. It can be opened as soon as the projector has it. */
export async function recordLink(ports: OperatorPorts, event: TokenIssued): Promise<void> {
  await ports.log.append({
    topic: TOPICS.tokens.name,
    key: event.token_hash,
    value: Buffer.from(JSON.stringify(event)),
    headers: { client: event.client_id, 'received-at': String(event.issued_at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
