/**
 * A lean build: node:http, JSON.parse, Ajv, and kafkajs with all posts of 3 ms in one send, each
 * answered after the acknowledgement of all replicas. No token, no device state, no quota.
 */
import { createServer, type ServerResponse } from 'node:http';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { locationsCheck } from './locations-check.ts';

const LINGER_MS = 3;
const ANSWER = Buffer.from('{"status":202,"message":"Accepted"}');
const REFUSAL = Buffer.from('{"status":400}');

const check = locationsCheck();
const kafka = new Kafka({
  brokers: (process.env['BROKERS'] ?? '').split(','), clientId: 'lean', logLevel: logLevel.ERROR,
});
const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
await producer.connect();
const topic = process.env['TOPIC'] ?? '';

let waiting: { key: string; value: Buffer; response: ServerResponse }[] = [];
let isTimed = false;

async function flush(): Promise<void> {
  isTimed = false;
  const batch = waiting;
  waiting = [];
  try {
    await producer.send({ topic, acks: -1, compression: CompressionTypes.None, messages: batch });
    for (const { response } of batch) answer(response, 202, ANSWER);
  } catch {
    for (const { response } of batch) answer(response, 500, REFUSAL);
  }
}

function answer(response: ServerResponse, status: number, bytes: Buffer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json', 'Content-Length': bytes.length,
  });
  response.end(bytes);
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const value = chunks.length === 1 ? chunks[0] ?? Buffer.alloc(0) : Buffer.concat(chunks);
    const body = JSON.parse(value.toString()) as { device_id: string };
    if (!check(body)) {
      answer(response, 400, REFUSAL);
      return;
    }
    waiting.push({ key: body.device_id, value, response });
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => void flush(), LINGER_MS);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
