import { readFileSync } from 'node:fs';
import { firstToken } from '../../infra/local/processes/first-token.ts';
import type { LocalStack } from '../../infra/local/processes/local-stack.ts';
import { waitFor } from '../../infra/local/wait.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { openOperator } from '../../services/cli/assemble.ts';
import { partyCommand } from '../../services/cli/party/command.ts';
import { operationsOf } from '../generate-bruno/document.ts';
import type { JsonObject } from '../../schemas/files.ts';

/** An address at which no carrier answers: what it is asked stays open, and can be cancelled. */
const NO_CARRIER = 'http://127.0.0.1:9';
const KNOWN_MS_MAX = 60_000;

/** What the collection needs besides a client: the platform's own one, a provider and a carrier. */
export async function brunoEnv(
  local: LocalStack, document: string,
): Promise<Readonly<Record<string, string>>> {
  const { platform, operator, providerUrl, secrets } = local;
  const { ports, close } = await openOperator(operator, silentSignals);
  let carrier: string;
  try {
    const { value } = await partyCommand(ports, [
      'add', '--kind', 'carrier', '--name', 'Bruno', '--url', NO_CARRIER, '--auth', 'static',
      '--client', local.identity.clientId,
    ]);
    carrier = (value as { readonly party_id: string }).party_id;
  } finally {
    await close();
  }
  await firstToken({ url: local.url, identity: { ...local.identity, ...platform } });
  await carrierKnown(local, carrier, document);
  return {
    RASTRO_PLATFORM_CLIENT_ID: platform.clientId,
    RASTRO_PLATFORM_CLIENT_SECRET: platform.clientSecret,
    RASTRO_PROVIDER_URL: providerUrl, RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
    RASTRO_CARRIER: carrier,
  };
}

/** Waits until the projector has the carrier, by a dry run of what it will be asked. */
async function carrierKnown(local: LocalStack, carrier: string, document: string): Promise<void> {
  const token = await firstToken(local, 'platform');
  const operations = operationsOf(JSON.parse(readFileSync(document, 'utf8')) as JsonObject);
  const body = operations.find(({ id }) => id === 'send-authorization')?.body?.example;
  await waitFor(async () => {
    const answer = await fetch(`${local.url}/platform/carriers/${carrier}/authorizations/dry_run`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    return answer.status !== 404;
  }, { what: 'The carrier of the collection', deadlineMs: KNOWN_MS_MAX, everyMs: 250 });
}
