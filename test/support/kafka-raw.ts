import { ProduceAcks, Producer } from '@platformatic/kafka';

/** Writes bytes that are in no frame, as a foreign producer might. */
export async function sendRaw(brokers: string, topic: string, value: Buffer): Promise<void> {
  const producer = new Producer<Buffer, Buffer, Buffer>({
    clientId: 'test-raw', bootstrapBrokers: brokers.split(','), autocreateTopics: false,
  });
  try {
    await producer.send({
      acks: ProduceAcks.ALL,
      messages: [{ topic, partition: 0, key: Buffer.from('raw'), value }],
    });
  } finally {
    await producer.close();
  }
}
