import product from '../../../package.json' with { type: 'json' };
import bundles from '../../../schemas/generated/bundles.json' with { type: 'json' };
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { openKafka } from '../../adapters/kafka/open.ts';
import { openRecordSchemas } from '../../adapters/registry/schemas.ts';
import { sha256 } from '../../adapters/secrets/secrets.ts';
import { systemClock, systemPause } from '../../adapters/system/system.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { OperatorConfig } from '../assemble.ts';
import type { LetterPorts } from './ports.ts';

const BOOT_MS_MAX = 20_000;
const CLOSE_MS_MAX = 15_000;

/** Opens what the commands about dead letters need: unlike others they may write any topic. */
export async function openLetters(
  config: Pick<OperatorConfig, 'brokers' | 'security' | 'registryUrl' | 'kafkaClient'>,
  signals: Signals,
): Promise<{ readonly ports: LetterPorts; readonly close: () => Promise<void> }> {
  const clock = systemClock;
  const topics = Object.values(TOPICS);
  const schemas = openRecordSchemas({
    url: config.registryUrl, clientId: 'rastro-operator', requestMsMax: 5_000,
  }, { clock, signals });
  await schemas.register(topics.map(({ name, subject, record }) => (
    { topic: name, subject, schema: bundles[record] }
  )), clock.nowMs() + BOOT_MS_MAX);
  const kafka = openKafka({
    client: config.kafkaClient,
    brokers: config.brokers,
    ...config.security,
    clientId: 'rastro-operator',
    topics,
  }, { signals, clock, schemaIdOf: (topic) => schemas.schemaIdOf(topic) });
  return {
    ports: {
      log: kafka.recordLog, reader: kafka.reader, clock, pause: systemPause, digest: sha256,
      codeVersion: product.version,
    },
    close: () => kafka.close(clock.nowMs() + CLOSE_MS_MAX),
  };
}
