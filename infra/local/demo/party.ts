import { randomUUID } from 'node:crypto';
import { waitFor } from '../wait.ts';
import type {
  CommandAcceptedResponse, CommandResource, ProviderCommandBody,
} from '../../../schemas/generated/types.ts';
import { parseAnswer } from '../../../services/provider/client/answer.ts';
import { createDeliver } from '../../../services/provider/client/deliver.ts';
import { createGate } from '../../../services/provider/client/gate.ts';
import { createTokenSource } from '../../../services/provider/client/token.ts';
import { createSend } from '../../../services/provider/http/send.ts';
import { openLedgerFile } from '../../../services/provider/ledger/file.ts';
import { commandIdentity } from '../../../services/provider/ledger/identities.ts';
import { createLedger } from '../../../services/provider/ledger/ledger.ts';
import { createWallClock } from '../../../services/provider/time/wall-clock.ts';

/** Where the platform's command API answers, and who asks there. */
export interface PlatformAddress {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
  readonly country: string;
}

/** The platform of the demonstration: commands the provider through the command API. */
export interface Platform {
  /** Issues a command until it is accepted, with a line in the ledger; returns its id. */
  readonly issue: (body: ProviderCommandBody) => Promise<string>;
  /** Where a command stands; undefined when it is not known. */
  readonly find: (commandId: string) => Promise<CommandResource | undefined>;
  readonly close: () => void;
}

const TOKEN_MS_MAX = 30_000;
/** Token requests have a quota of their own. */
const TOKEN_EVERY_MS = 1_000;
/** Calls per second, below the quota of a client. */
const PACE = 150;
const REPEAT = { backoffFirstMs: 250, backoffMsMax: 2_000, throttledMs: 5_000 };
const CONNECTION = { socketsMax: 4, timeoutMs: 15_000, answerBytesMax: 65_536 };

/** Takes a token and is the platform from then on. `leaving` ends all repeats. */
export async function openPlatform(
  address: PlatformAddress, ledgerFile: string, leaving: AbortSignal,
): Promise<Platform> {
  const { clientId, clientSecret, provider, country } = address;
  const clock = createWallClock();
  const file = openLedgerFile(ledgerFile);
  const ledger = createLedger(`platform-${randomUUID().slice(0, 8)}`, clock, (line) => {
    file.write(line);
  });
  const { send, close } = createSend({ ...CONNECTION, baseUrl: address.url });
  const gate = createGate({ inFlightMax: 4, requestsPerSecondMax: PACE }, clock);
  const token = createTokenSource(
    { ...REPEAT, audience: 'rtt', clientId, clientSecret, renewAtRatio: 0.9 },
    { send, clock, random: Math.random, signal: leaving },
  );
  const deliver = createDeliver(
    REPEAT, { send, gate, token, clock, random: Math.random, onLost: () => {} },
  );
  const path = `/platform/providers/${provider}/commands`;
  const query = `?country_id=${country}`;
  // The client was recorded in the log; it can be used once the projector has it.
  await waitFor(async () => await token.current() !== undefined, {
    what: 'The token of the platform', deadlineMs: TOKEN_MS_MAX, everyMs: TOKEN_EVERY_MS,
  });

  async function issue(body: ProviderCommandBody): Promise<string> {
    const transport_id = 'transport' in body ? body.transport.id : undefined;
    const identityOf = (id: string) => commandIdentity(id, body.command, transport_id, 'done');
    const post = ledger.beginItems('commands', [identityOf('')]);
    const delivery = await deliver({
      method: 'POST', path: path + query,
      headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)),
    }, leaving);
    const { reply } = delivery;
    const text = reply.kind === 'answer' ? reply.body : reply.reason;
    const id = delivery.outcome === 'accepted'
      ? parseAnswer<CommandAcceptedResponse>(text)?.command_id
      : undefined;
    ledger.end(post, delivery, id === undefined ? undefined : [identityOf(id)]);
    if (id === undefined && !leaving.aborted) throw new Error(`A command was refused: ${text}`);
    return id ?? '';
  }

  async function find(commandId: string): Promise<CommandResource | undefined> {
    const answer = await gate.pass(async () => fetch(`${address.url}${path}/${commandId}${query}`, {
      headers: { authorization: `Bearer ${await token.current() ?? ''}` },
    }));
    if (answer.ok) return await answer.json() as CommandResource;
    await answer.body?.cancel();
    if (answer.status === 404) return undefined;
    throw new Error(`The platform answered ${answer.status} when asked for a command.`);
  }

  return {
    issue, find,
    close: () => {
      close();
      file.close();
    },
  };
}
