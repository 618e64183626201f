/**
 * The usual build: Express with its JSON reader, Ajv, and kafkajs, one send per post, each answered
 * after the acknowledgement of all replicas. No token, no device state, no quota.
 */
import express from 'express';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { locationsCheck } from './locations-check.ts';

const check = locationsCheck();
const kafka = new Kafka({
  brokers: (process.env['BROKERS'] ?? '').split(','), clientId: 'usual', logLevel: logLevel.ERROR,
});
const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
await producer.connect();
const topic = process.env['TOPIC'] ?? '';

const app = express();
app.use(express.json({ limit: '1mb' }));
app.post('/locations', async (request, response) => {
  const body = request.body as { device_id: string };
  if (!check(body)) {
    response.status(400).json({ status: 400 });
    return;
  }
  await producer.send({
    topic, acks: -1, compression: CompressionTypes.None,
    messages: [{ key: body.device_id, value: JSON.stringify(body) }],
  });
  response.status(202).json({ status: 202, message: 'Accepted' });
});
app.listen(Number(process.env['PORT']), '127.0.0.1');
