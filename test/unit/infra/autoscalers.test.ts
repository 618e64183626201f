import { describe, expect, it } from 'vitest';
import { unreachable } from '../../../infra/check/autoscalers.ts';
import type { Resource } from '../../../infra/check/resources.ts';
import { baseSettings } from './base-settings.ts';

/** A worker with its settings, and the autoscaler that reads the lag of its group. */
function resourcesWith(brokers: string, trigger: object): readonly Resource[] {
  return [
    { kind: 'ConfigMap', metadata: { name: 'settings' }, data: { KAFKA_BROKERS: brokers } },
    {
      kind: 'Deployment', metadata: { name: 'writer' },
      spec: { template: { spec: { containers: [
        { envFrom: [{ configMapRef: { name: 'settings' } }] },
      ] } } },
    },
    {
      kind: 'ScaledObject', metadata: { name: 'writer' },
      spec: { scaleTargetRef: { name: 'writer' }, triggers: [trigger] },
    },
  ];
}

const KAFKA = { type: 'kafka', metadata: { bootstrapServersFromEnv: 'KAFKA_BROKERS' } };

describe('the address that an autoscaler asks', () => {
  it.each([
    'kafka-bootstrap:9093', 'kafka.rastro:9093', 'a.kafka.svc:9093,kafka:9093', '',
  ])('has no meaning in the namespace of KEDA when it is %j', (brokers) => {
    expect(unreachable(resourcesWith(brokers, KAFKA))).toHaveLength(1);
  });

  it.each([
    'kafka.rastro.svc:9093', 'kafka.rastro.svc.cluster.local:9093',
    'b-1.kafka.example.com:9096,b-2.kafka.example.com:9096', '10.0.0.7:9092',
  ])('is found from everywhere when it is %j', (brokers) => {
    expect(unreachable(resourcesWith(brokers, KAFKA))).toEqual([]);
  });

  it('is looked at where a trigger names it itself', () => {
    const trigger = (serverAddress: string): object => (
      { type: 'prometheus', metadata: { serverAddress } }
    );
    expect(unreachable(resourcesWith('', trigger('http://prometheus:9090')))).toHaveLength(1);
    expect(unreachable(resourcesWith('', trigger('http://prometheus.monitoring.svc:9090')))).toEqual([]);
  });

  it('is a whole one in the base', () => {
    expect(unreachable(resourcesWith(baseSettings()['KAFKA_BROKERS'] ?? '', KAFKA))).toEqual([]);
  });
});
