import { createRequire } from 'node:module';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { promisify } from 'node:util';
import { crc32c } from '@node-rs/crc32';
import kafkajs, { type Kafka, type logCreator } from 'kafkajs';
import type { Signals } from '../../../kernel/signals.ts';
import type { ConnectionLimits } from '../config.ts';
import { kafkajsSecurity } from '../security.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
}

interface RequestQueueModule {
  readonly prototype: { scheduleCheckPendingRequests: (this: RequestQueue) => void };
}

let patched = false;

/** A connection to the cluster by kafkajs, with what it lacks patched in; nothing is sent yet. */
export function openKafkajs(connection: ConnectionLimits, signals: Signals): Kafka {
  patchOnce();
  return new kafkajs.Kafka({
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    ...kafkajsSecurity(connection),
    connectionTimeout: connection.connectMsMax,
    requestTimeout: connection.requestMsMax,
    enforceRequestTimeout: true,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: toSignals(signals),
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8, factor: 0.2, multiplier: 2 },
  });
}

/**
 * Three patches, each before the first produce: zstd (kafkajs has no codec of its own), crc32c in
 * native code (a third of its CPU), and no timer for an empty queue of requests. Without the patch
 * kafkajs sets one with a negative delay after every response, about which Node warns.
 */
function patchOnce(): void {
  if (patched) return;
  patched = true;
  const require = createRequire(import.meta.url);
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
    compress: (encoder: { buffer: Buffer }) => compress(encoder.buffer),
    decompress: (bytes: Buffer) => decompress(bytes),
  });
  const crcPath = require.resolve('kafkajs/src/protocol/recordBatch/crc32C');
  require(crcPath);
  const crcModule = require.cache[crcPath];
  if (crcModule === undefined) throw new Error('kafkajs has no crc32C module to replace');
  crcModule.exports = (input: Buffer | { buffer: Buffer }): number =>
    crc32c(Buffer.isBuffer(input) ? input : input.buffer);
  const queue = require('kafkajs/src/network/requestQueue') as RequestQueueModule;
  const original = queue.prototype.scheduleCheckPendingRequests;
  queue.prototype.scheduleCheckPendingRequests = function scheduleNeeded(this: RequestQueue): void {
    if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
    original.call(this);
  };
}

function toSignals(signals: Signals): logCreator {
  return () => ({ namespace, level, log }) => {
    // Every rebalance is an ERROR line in kafkajs; what matters comes back to us as an error.
    const grade = level === kafkajs.logLevel.ERROR ? 'warn' : 'debug';
    signals.kafkajsLogged({ level: grade, namespace, message: log.message });
  };
}
