import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STRIMZI } from '../../../infra/check/strimzi.ts';
import { KAFKA_VERSION } from '../../../infra/local/kafka.ts';

const read = (path: string): string => readFileSync(join(process.cwd(), 'infra', path), 'utf8');

it('asks Strimzi for the Kafka that everything is tested with, which the operator takes', () => {
  const cluster = read('kubernetes/components/strimzi/cluster.yaml');
  const [, asked] = /^ {4}version: (\S+)$/m.exec(cluster) ?? [];
  expect(asked).toBe(KAFKA_VERSION);
  expect(STRIMZI.kafka).toContain(asked);
  expect(read('compose/compose.yaml')).toContain(`image: apache/kafka:${KAFKA_VERSION}\n`);
  expect(read('local/kafka/pom.xml')).toContain(`<kafka.version>${KAFKA_VERSION}<`);
});
