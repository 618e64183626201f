import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ask } from '../../containers/machine/ask.ts';
import { NETWORK } from '../network.ts';
import { partIn, type ClusterPart } from '../part.ts';
import type { ProductStage } from '../product/place.ts';
import { scrapeConfigs, type PodMonitor } from './scrape.ts';

/** A real Prometheus, which reads Pods as our PodMonitor says. */
export interface ClusterPrometheus {
  /** Resolves with the value of a query once it has one, which is at least so much. */
  readonly value: (query: string, least?: number) => Promise<number>;
  /** Ends it; autoscalers have none then. */
  readonly end: () => Promise<void>;
}

const MONITOR = 'infra/kubernetes/components/monitoring/pod-monitor.yaml';
const SERVICE = 'test/cluster/autoscaling/manifests/prometheus.yaml';
const INSIDE = join(import.meta.dirname, '..', 'inside');
const WAIT_VALUE = join(INSIDE, 'wait-value.ts');
const TARGETS = join(INSIDE, 'pod-targets.ts');
const ADDRESS = `${NETWORK.address}:9090`;
const TARGETS_PORT = '9091';
const NAMESPACE = 'rastro';
const VALUE_MS_MAX = 300_000;

/** Starts it on the node, where it reaches every Pod, and gives it the name that is asked for. */
export async function startPrometheus(
  stage: ProductStage, program: string,
): Promise<ClusterPrometheus> {
  const { namespaces, plane } = await stage.cluster();
  const folder = join(stage.folder, 'prometheus');
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'prometheus.json');
  const url = `http://${NETWORK.address}:${TARGETS_PORT}/`;
  const monitor = parse(readFileSync(join(stage.copy, MONITOR), 'utf8')) as PodMonitor;
  writeFileSync(settings, JSON.stringify({
    scrape_configs: scrapeConfigs(monitor, { namespace: NAMESPACE, url }),
  }));
  const targets = partIn(namespaces, stage.folder, 'pod-targets', [
    process.execPath, TARGETS, NETWORK.address, TARGETS_PORT, plane.config, NAMESPACE,
  ]);
  const server = partIn(namespaces, stage.folder, 'prometheus', [
    program, `--config.file=${settings}`, `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${ADDRESS}`, '--log.level=warn',
  ]);
  const parts = [targets, server];
  await endAll(parts);
  for (const part of parts) part.start();
  await plane.kubectl(['apply', '--server-side', '--filename', join(stage.copy, SERVICE)]);
  return {
    async value(query, least) {
      const { value } = await ask<{ readonly value: number }>(namespaces, WAIT_VALUE, {
        url: `http://${ADDRESS}`, query, least, deadlineMs: VALUE_MS_MAX,
      }, VALUE_MS_MAX + 30_000).catch((error: unknown) => {
        throw new Error(`${(error as Error).message} ${server.said()} ${targets.said()}`);
      });
      return value;
    },
    end: () => endAll(parts),
  };
}

async function endAll(parts: readonly ClusterPart[]): Promise<void> {
  for (const part of parts) if (await part.lives()) await part.end('TERM');
}
