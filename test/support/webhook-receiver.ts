import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A post as a receiver got it. */
export interface ReceivedPost {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  /** What happened, and the shipment or device that it is about. */
  readonly type: string;
  readonly key: string;
  /** From the record of the fact to here, in ms. */
  readonly latencyMs: number;
}

/** What a partner runs, on a port of its own. */
export interface WebhookReceiver {
  readonly url: string;
  /** Posts that it took, in the order of their arrival. */
  readonly taken: ReceivedPost[];
  /** Calls that it did not take. */
  refused: number;
  /** How it answers: 200 and the like take a post, `cut` closes the line. */
  answer: number | 'cut';
  location: string | undefined;
  close(): void;
}

/** Opens a receiver that takes everything until its answer changes; `onTaken` hears of it. */
export async function webhookReceiver(
  onTaken: (post: ReceivedPost) => void = () => undefined,
): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => { chunks.push(chunk); });
    request.on('end', () => {
      if (receiver.answer === 'cut') {
        receiver.refused += 1;
        request.socket.destroy();
        return;
      }
      const isTaken = receiver.answer >= 200 && receiver.answer < 300;
      if (isTaken) take(readPost(request.headers, Buffer.concat(chunks).toString()));
      else receiver.refused += 1;
      const headers = receiver.location === undefined ? {} : { location: receiver.location };
      response.writeHead(receiver.answer, headers).end();
    });
  });
  const take = (post: ReceivedPost): void => {
    receiver.taken.push(post);
    onTaken(post);
  };
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken: [], refused: 0, answer: 204, location: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

function readPost(headers: IncomingHttpHeaders, body: string): ReceivedPost {
  const { data: { fact, recorded_at_ms } } = JSON.parse(body) as {
    data: {
      recorded_at_ms: number; fact: { tracking_number?: string; device_id?: string; type?: string };
    };
  };
  return {
    headers, body, id: String(headers['webhook-id']), type: fact.type ?? '',
    key: fact.tracking_number ?? fact.device_id ?? '', latencyMs: Date.now() - recorded_at_ms,
  };
}
