/** The thread that posts: some connections, each post after the answer to the one before. */
import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

const CONNECTIONS = 16;
const TOKEN = `00${'t'.repeat(43)}`;

interface Order {
  readonly url: string;
  readonly bodies: readonly Uint8Array[];
  readonly posts: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

parentPort?.on('message', (order: Order) => {
  void postAll(order).then((accepted) => parentPort?.postMessage(accepted));
});

async function postAll({ url, bodies, posts }: Order): Promise<number> {
  let begun = 0;
  let accepted = 0;
  const line = async (): Promise<void> => {
    while (begun < posts) {
      const body = bodies[begun % bodies.length];
      begun += 1;
      if (body !== undefined && await post(url, body) === 202) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
  return accepted;
}

function post(url: string, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/shipping/rtt/georeceiver/acme/locations?country_id=BR`, {
      method: 'POST', agent, headers: {
        authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json',
        'content-length': body.length,
      },
    }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    call.once('error', reject).end(body);
  });
}
