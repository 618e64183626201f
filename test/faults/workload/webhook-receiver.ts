import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Dice } from '../dice.ts';
import type { WebhookPost } from '../run-files.ts';
import { nowNs, type LineWriter } from './history-writer.ts';

/** How receivers behave from now on. */
export type ReceiverMood =
  /** Mostly 204; some posts 500, some lines broken. */
  | 'usual'
  /** Every post is taken. */
  | 'polite'
  /** Every post is answered 500. */
  | 'failing'
  /** Every post hangs until its sender leaves. */
  | 'silent';

/** A receiver of one webhook, with a record of every post. */
export interface SickReceiver {
  readonly url: string;
  /** Says whose posts these are, as the operator learns it with the secret. */
  own(webhookId: string, secret: string): void;
  setMood(mood: ReceiverMood): void;
  close(): Promise<void>;
}

const FAILED_SHARE = 0.06;
const BROKEN_SHARE = 0.04;

/** Takes posts at a free port. */
export async function startWebhookReceiver(
  record: LineWriter<WebhookPost>, dice: Dice,
): Promise<SickReceiver> {
  let mood: ReceiverMood = 'usual';
  let [webhookId, secret] = ['', ''];

  function statusNow(): number | null {
    if (mood === 'failing') return 500;
    if (mood === 'silent') return null;
    if (mood === 'polite') return 204;
    if (dice.chance(FAILED_SHARE)) return 500;
    return dice.chance(BROKEN_SHARE) ? null : 204;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const status = statusNow();
    const { type } = JSON.parse(body) as { type: string };
    record.write({
      t_ns: nowNs(), webhook_id: webhookId, id: String(request.headers['webhook-id']), kind: type,
      is_signed: isSigned(body, request), status,
    });
    if (status !== null) response.writeHead(status).end();
    else if (mood !== 'silent') response.destroy();
  }

  function isSigned(body: string, { headers }: IncomingMessage): boolean {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    own: (id, newSecret) => { [webhookId, secret] = [id, newSecret]; },
    setMood: (next) => { mood = next; },
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
