import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { needsScaling } from '../../cluster/acts/product.ts';
import {
  conditionOf, partitionsIn, quantity, recordsFigure, secondsTrigger, unanswered, type ScaledObject,
} from '../../cluster/autoscaling/scaled-object.ts';
import { scrapeConfigs, targetsOf, type PodMonitor } from '../../cluster/autoscaling/scrape.ts';

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..');
const MONITOR = 'infra/kubernetes/components/monitoring/pod-monitor.yaml';

const WRITER: ScaledObject = {
  metadata: { name: 'table-writer' },
  spec: { triggers: [
    { type: 'kafka', metadata: { consumerGroup: 'rastro.table-writer' } },
    { type: 'prometheus', metadata: { query: 'max(lag)', threshold: '20' } },
  ] },
  status: {
    conditions: [{ type: 'Fallback', status: 'False' }, { type: 'Ready', status: 'True' }],
    externalMetricNames: ['s0-kafka-rastro-table-writer-topics', 's1-prometheus'],
    health: { 's0-kafka-rastro-table-writer-topics': { status: 'Happy' }, 's1-prometheus': { status: 'Failing' } },
  },
};

describe('what scales Pods', () => {
  it('is brought for its act, and for all', () => {
    expect(needsScaling([])).toBe(true);
    expect(needsScaling(['autoscale'])).toBe(true);
    expect(needsScaling(['release', 'drain'])).toBe(false);
  });
});

describe('a Prometheus that reads what our PodMonitor selects', () => {
  const monitor = parse(readFileSync(join(ROOT_DIR, MONITOR), 'utf8')) as PodMonitor;
  const [only, ...others] = scrapeConfigs(monitor, { namespace: 'rastro', url: 'http://t/' });

  it('asks for Pods, and reads them at the pace of the monitor', () => {
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      metrics_path: '/metrics', scrape_interval: '15s', scrape_timeout: '5s',
      http_sd_configs: [{ url: 'http://t/' }],
    });
  });

  it('keeps ports by label and name, and applies the rules of the monitor last', () => {
    const { relabel_configs: rules } = only as { readonly relabel_configs: readonly object[] };
    expect(rules).toContainEqual({
      source_labels: ['__meta_kubernetes_pod_label_app_kubernetes_io_part_of'], regex: 'rastro',
      action: 'keep',
    });
    expect(rules).toContainEqual({
      source_labels: ['__meta_kubernetes_pod_container_port_name'], regex: 'admin', action: 'keep',
    });
    expect(rules.at(-1)).toEqual({
      source_labels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'], target_label: 'job',
    });
  });
});

describe('targets', () => {
  it('are the ports of Pods that have an address, with what Kubernetes says of them', () => {
    const spec = { containers: [
      { name: 'worker', ports: [{ name: 'admin', containerPort: 9080 }, { containerPort: 1 }] },
      { name: 'bare' },
    ] };
    const metadata = { name: 'writer-1', labels: { 'app.kubernetes.io/name': 'writer' } };
    const found = targetsOf('rastro', [
      { metadata, spec, status: { podIP: '10.0.0.1', phase: 'Running' } },
      { metadata: { name: 'pending' }, spec },
    ]);
    expect(found).toHaveLength(2);
    expect(found[0]).toEqual({
      targets: ['10.0.0.1:9080'],
      labels: {
        '__meta_kubernetes_namespace': 'rastro', '__meta_kubernetes_pod_name': 'writer-1',
        '__meta_kubernetes_pod_phase': 'Running',
        '__meta_kubernetes_pod_label_app_kubernetes_io_name': 'writer',
        '__meta_kubernetes_pod_container_name': 'worker',
        '__meta_kubernetes_pod_container_port_name': 'admin',
      },
    });
  });
});

describe('an autoscaler', () => {
  it('lacks what KEDA has not asked for or has no value of', () => {
    expect(unanswered(WRITER)).toEqual(['s1-prometheus of table-writer has no value']);
    expect(unanswered({ metadata: WRITER.metadata, spec: WRITER.spec }))
      .toEqual(['table-writer has 0 of 2 figures']);
  });

  it('says how it is, and nothing before it was looked after', () => {
    expect(conditionOf(WRITER, 'Ready')).toBe('True');
    expect(conditionOf(WRITER, 'Fallback')).toBe('False');
    expect(conditionOf({ metadata: WRITER.metadata, spec: WRITER.spec }, 'Ready')).toBe('Unknown');
  });

  it('has a trigger of seconds and a figure of records, or is refused', () => {
    expect(secondsTrigger(WRITER)).toEqual({ query: 'max(lag)', threshold: 20 });
    expect(recordsFigure(WRITER)).toBe('s0-kafka-rastro-table-writer-topics');
    const bare = { metadata: WRITER.metadata, spec: { triggers: [] } };
    expect(() => secondsTrigger(bare)).toThrow('table-writer does not ask Prometheus.');
    expect(() => recordsFigure(bare)).toThrow('table-writer does not ask the log.');
  });
});

describe('a figure', () => {
  it.each([['0', 0], ['7', 7], ['21500m', 21.5], ['3k', 3_000]])('%s is %d', (text, value) => {
    expect(quantity(text)).toBe(value);
  });

  it.each(['', 'm', '7x'])('%j is none', (text) => {
    expect(() => quantity(text)).toThrow('is no quantity');
  });
});

describe('partitions of a worker', () => {
  const line = (group: string, partitions: number): string => (
    JSON.stringify({ event: 'consumer_assigned', group, partitions }));

  it('are those that it was given last in its group', () => {
    const log = ['no JSON', line('g', 6), line('other', 9), line('g', 3), ''].join('\n');
    expect(partitionsIn(log, 'g')).toBe(3);
    expect(partitionsIn('', 'g')).toBe(0);
  });
});
