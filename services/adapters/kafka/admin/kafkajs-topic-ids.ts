import { createRequire } from 'node:module';
import type { Kafka } from 'kafkajs';
import { metadataRequest, readTopicIds } from './metadata-bytes.ts';

interface Answer {
  readonly errorCode: number;
  readonly topic: string;
  readonly id: string;
}

interface Broker {
  readonly connectionPool: {
    send(asked: { readonly request: unknown; readonly response: unknown }): Promise<Answer[]>;
  };
}

interface Cluster {
  readonly brokerPool: { findConnectedBroker(): Promise<Broker> };
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

type Encoder = new () => { writeBuffer(bytes: Buffer): unknown };
interface ErrorModule { readonly createErrorFromCode: (code: number) => Error }

const METADATA = 3;
const VERSION = 12;
const CREATE_CLUSTER = 'private:Kafka:createCluster';

/** A connection of kafkajs for the one question that its own requests do not have. */
export interface TopicIdCalls {
  topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/**
 * Asks for topic ids over connections of kafkajs, with its login and TLS. kafkajs knows Metadata up
 * to version 6, and ids came with 10, so the request is encoded here. It goes through an
 * undocumented part of kafkajs, whose version is fixed in package.json.
 */
export function openTopicIds(kafka: Kafka): TopicIdCalls {
  const require = createRequire(import.meta.url);
  const BytesEncoder = require('kafkajs/src/protocol/encoder') as Encoder;
  const { createErrorFromCode } = require('kafkajs/src/protocol/error') as ErrorModule;
  const cluster = clusterOf(kafka);

  async function topicIds(topics: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await cluster.connect();
    const broker = await cluster.brokerPool.findConnectedBroker();
    const answers = await broker.connectionPool.send({
      request: {
        apiKey: METADATA, apiVersion: VERSION, apiName: 'Metadata',
        encode: () => new BytesEncoder().writeBuffer(metadataRequest(topics)),
      },
      response: {
        decode: (bytes: Buffer) => readTopicIds(bytes),
        parse: (found: readonly Answer[]) => {
          const failed = found.find(({ errorCode }) => errorCode !== 0);
          if (failed !== undefined) throw createErrorFromCode(failed.errorCode);
          return found;
        },
      },
    });
    return new Map(answers.map(({ topic, id }) => [topic, id]));
  }

  return { topicIds, close: () => cluster.disconnect() };
}

function clusterOf(kafka: Kafka): Cluster {
  const name = Object.getOwnPropertySymbols(kafka)
    .find(({ description }) => description === CREATE_CLUSTER);
  const create: unknown = name === undefined ? undefined : Reflect.get(kafka, name);
  if (typeof create !== 'function') throw new Error('kafkajs makes its clusters otherwise now');
  return (create as (options: object) => Cluster)({ allowAutoTopicCreation: false });
}
