import { waitFor } from '../../../infra/local/wait.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { basic, callAt, type PlatformReply } from '../../support/platform-calls.ts';
import { valueOf } from '../../support/report-value.ts';
import type { GuestClient } from '../offender.ts';

/** A client as the operator hands it over. */
export type NewClient = Pick<GuestClient, 'clientId' | 'secret'>;

const KNOWN_MS_MAX = 60_000;

/** Makes a client; `words` are those of `rastro client add`. */
export async function addClient(
  operator: OperatorPorts, words: readonly string[],
): Promise<NewClient> {
  const { client_id, client_secret } = valueOf(await clientCommand(operator, ['add', ...words])) as {
    client_id: string; client_secret: string;
  };
  return { clientId: client_id, secret: client_secret };
}

/** A token of a client, once the gateway at `url` knows it. */
export async function tokenOf(url: string, client: NewClient, audience: string): Promise<string> {
  const { body } = await until(() => callAt(url, '/oauth/token', {
    body: { audience, grant_type: 'client_credentials' },
    headers: { authorization: basic(client.clientId, client.secret) },
  }));
  return String(body['access_token']);
}

/** Calls until it is let in: what the operator did comes to the gateways by the log. */
export async function until(call: () => Promise<PlatformReply>): Promise<PlatformReply> {
  let reply = await call();
  await waitFor(async () => {
    if (reply.status < 300) return true;
    reply = await call();
    return reply.status < 300;
  }, { what: 'A new client', deadlineMs: KNOWN_MS_MAX, everyMs: 200 });
  return reply;
}
