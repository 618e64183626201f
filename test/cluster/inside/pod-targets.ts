/**
 * Says to Prometheus which ports of Pods there are, each time as the API server has them; what it
 * cannot say is an error, after which Prometheus goes on with what it had.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { targetsOf, type ReadPod } from '../autoscaling/scrape.ts';

interface Config {
  readonly clusters: readonly [{
    readonly cluster: { readonly server: string; readonly 'certificate-authority': string };
  }];
  readonly users: readonly [{
    readonly user: { readonly 'client-certificate': string; readonly 'client-key': string };
  }];
}

const [, , host = '', port = '', configFile = '', namespace = ''] = process.argv;
const { clusters: [{ cluster }], users: [{ user }] } = JSON.parse(
  readFileSync(configFile, 'utf8'),
) as Config;
const PODS = new URL(`/api/v1/namespaces/${namespace}/pods`, cluster.server);
const TLS = {
  ca: readFileSync(cluster['certificate-authority']),
  cert: readFileSync(user['client-certificate']), key: readFileSync(user['client-key']),
};
const ASK_MS_MAX = 20_000;

function pods(): Promise<readonly ReadPod[]> {
  return new Promise((resolve, reject) => {
    request(PODS, { ...TLS, signal: AbortSignal.timeout(ASK_MS_MAX) }, (given) => {
      json(given).then((said) => {
        const { items } = said as { readonly items?: readonly ReadPod[] };
        if (items === undefined) reject(new Error('The API server named no Pods.'));
        else resolve(items);
      }, reject);
    }).on('error', reject).end();
  });
}

createServer((_call, answer) => {
  pods().then((found) => {
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(targetsOf(namespace, found)));
  }, (error: unknown) => { answer.writeHead(502).end(String(error)); });
}).listen(Number(port), host);
