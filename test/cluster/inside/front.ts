/**
 * In place of the Gateway of a cluster: gives each call to the Service that the routes name, over a
 * connection of its own, and writes down how calls were answered. It repeats none.
 */
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { roomOf } from '../../../infra/generate/routes.ts';
import { GATEWAYS } from '../../../services/gateways/gateways.ts';

const [, , host = '', port = '', countsFile = '', services = '{}'] = process.argv;
const ADDRESSES = JSON.parse(services) as Readonly<Record<string, string>>;
/** As the routes have it. */
const CALL_MS_MAX = 45_000;
const counts: Record<string, number> = {};

/** By the class of the status; faults of a server by their status. */
function count(status: number): void {
  countAs(status < 500 ? `${Math.floor(status / 100)}xx` : String(status));
}

function countAs(key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
  writeFileSync(countsFile, JSON.stringify(counts));
}

writeFileSync(countsFile, '{}');
createServer((call, answer) => {
  const { method = 'GET', url = '/', headers } = call;
  const room = roomOf(method, url.replace(/\?.*$/, ''));
  const program = GATEWAYS.find(({ id }) => id === room)?.program ?? '';
  const passed = request({
    host: ADDRESSES[program], port: 80, path: url, method, agent: false,
    headers: { ...headers, connection: 'close' }, timeout: CALL_MS_MAX,
  }, (given) => {
    count(given.statusCode ?? 502);
    const { connection: _ofThatConnection, ...passedOn } = given.headers;
    answer.writeHead(given.statusCode ?? 502, passedOn);
    given.pipe(answer);
    given.on('error', () => { answer.destroy(); });
  });
  // As a proxy does: a call that its caller gave up must not arrive once packets pass again.
  let isAbandoned = false;
  answer.on('close', () => {
    if (answer.writableFinished) return;
    isAbandoned = true;
    passed.destroy(new Error('abandoned'));
  });
  passed.on('timeout', () => { passed.destroy(new Error('no answer in time')); });
  passed.on('error', () => {
    if (answer.headersSent) return;
    countAs(isAbandoned ? 'abandoned' : 'broken off');
    answer.writeHead(502).end();
  });
  call.pipe(passed);
}).listen(Number(port), host);
