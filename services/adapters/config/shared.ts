import { registryTlsSettings } from './read-tls.ts';
import { redisSettings } from './redis.ts';
import type { Settings } from './setting.ts';

/** Settings that every process of the platform knows: where the parts are and how to report. */
export const sharedSettings = {
  KAFKA_BROKERS: {
    type: 'list', description: 'Addresses of Kafka brokers, host:port, separated by commas.',
  },
  KAFKA_SASL_MECHANISM: {
    type: 'string', optional: true, enum: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'],
    description: 'How to log in at the brokers; none where their listener asks for no login.',
  },
  KAFKA_SASL_USERNAME: {
    type: 'string', optional: true, minLength: 1, description: 'Who logs in at the brokers.',
  },
  KAFKA_SASL_PASSWORD: {
    type: 'string', optional: true, minLength: 1, secret: true,
    description: 'Password of who logs in at the brokers.',
  },
  KAFKA_TLS: {
    type: 'boolean', default: false, description: 'True to reach the brokers by TLS.',
  },
  KAFKA_TLS_CA_FILE: {
    type: 'string', optional: true, minLength: 1,
    description: 'Certificate that signs those of the brokers, in PEM; else those of the system.',
  },
  SCHEMA_REGISTRY_URL: {
    type: 'string', pattern: '^https?://', description: 'Address of the schema registry.',
  },
  ...registryTlsSettings,
  SCHEMA_REGISTRY_USERNAME: {
    type: 'string', optional: true, minLength: 1,
    description: 'Who logs in at the schema registry; absent where it asks for no login.',
  },
  SCHEMA_REGISTRY_PASSWORD: {
    type: 'string', optional: true, minLength: 1, secret: true,
    description: 'Password of who logs in at the schema registry.',
  },
  ...redisSettings,
  RASTRO_KAFKA_CLIENT: {
    type: 'string', enum: ['platformatic', 'kafkajs'], default: 'platformatic',
    description: 'Which Kafka client library is used.',
  },
  RASTRO_LOG_LEVEL: {
    type: 'string', enum: ['debug', 'info', 'warn', 'error'], default: 'info',
    description: 'Least severity of the lines written.',
  },
  RASTRO_TRACES: {
    type: 'boolean', default: false, description: 'True to send traces to a collector.',
  },
  RASTRO_TRACES_RATIO: {
    type: 'number', default: 1, minimum: 0, maximum: 1,
    description: 'Share of calls that are traced, when traces are on.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string', default: 'http://127.0.0.1:4318', pattern: '^https?://',
    description: 'Address of the collector of traces: OTLP over HTTP, without the path.',
  },
  RASTRO_ADMIN_HOST: {
    type: 'string', default: '127.0.0.1', minLength: 1,
    description: 'Address of /healthz, /readyz and /metrics.',
  },
  RASTRO_DRAIN_MS_MAX: {
    type: 'integer', default: 15_000, minimum: 0, maximum: 300_000,
    description: 'How long a process that must stop may finish its work.',
  },
} as const satisfies Settings;
