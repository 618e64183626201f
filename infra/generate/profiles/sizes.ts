import type { SizeProfile } from '../../values/value.ts';
import type { Yaml } from '../yaml.ts';
import { FLEETS, needOf } from './fleets.ts';

/** A CPU that a Pod of these asks for where a profile speaks of Pods of one core. */
const ONE_CORE = '1';
const WORKERS_MAX = 12;

/** Patches with the sizes of a profile; `#` says where each comes from. */
export function sizePatches(profile: SizeProfile): readonly Yaml[] {
  return [...(profile === 'large' ? largePods() : []), clickhouse(profile), brokers(profile)];
}

/** Fewer and larger Pods: each is a whole core, and as many are there as the fleet needs. */
function largePods(): readonly Yaml[] {
  const least = {
    'ingest': pods('gateway of locations: Pods of one core'),
    'table-writer(-b)?': pods('table-writer: Pods of one core'),
    'projector': Math.max(2, pods('all other workers: cores')),
  };
  return Object.entries(least).flatMap(([name, count]) => [
    {
      '#pods': `${name}: ${count} Pods of one core, by rastro capacity --devices ${FLEETS.large.devices}.`,
      target: { kind: 'Deployment', name },
      patch: operations(['replace', '/spec/template/spec/containers/0/resources/requests/cpu', ONE_CORE]),
    },
    {
      target: { kind: 'ScaledObject', name },
      patch: operations(
        ['replace', '/spec/minReplicaCount', count],
        ['replace', '/spec/maxReplicaCount', Math.max(WORKERS_MAX, 2 * count)],
      ),
    },
  ]);
}

/** Its memory is what limits of queries and inserts add up to; a small one has half a core. */
function clickhouse(profile: SizeProfile): Yaml {
  const memory = needOf(profile, 'ClickHouse: memory');
  const cores = needOf(profile, 'ClickHouse, inserting: cores');
  const cpu = profile === 'small' ? '500m' : String(Math.max(1, Math.ceil(cores.value)));
  return {
    '#clickhouse': `ClickHouse:\n${memory.arithmetic}.\nCores of inserts: ${cores.arithmetic}.`
      + (profile === 'small' ? '\nHalf a core is assumed: queries of analysts take the most.' : ''),
    target: { kind: 'StatefulSet', name: 'clickhouse(-b)?' },
    patch: operations(
      ['replace', '/spec/template/spec/containers/0/resources/requests/cpu', cpu],
      ['replace', '/spec/template/spec/containers/0/resources/limits/memory', `${Math.ceil(memory.value)}Gi`],
    ),
  };
}

function brokers(profile: SizeProfile): Yaml {
  const count = needOf(profile, 'brokers');
  const cores = needOf(profile, 'brokers: cores');
  const each = cores.value / count.value;
  const cpu = profile === 'small' ? '250m' : String(Math.max(1, Math.ceil(each)));
  const memory = profile === 'small' ? '2Gi' : '4Gi';
  return {
    '#brokers': `Brokers: ${cores.arithmetic}.\nMemory is assumed: half for the heap, half for pages.`,
    target: { kind: 'KafkaNodePool', name: 'brokers' },
    patch: operations(
      ['replace', '/spec/replicas', count.value],
      ['replace', '/spec/resources/requests/cpu', cpu],
      ['replace', '/spec/resources/requests/memory', memory],
      ['replace', '/spec/resources/limits/memory', memory],
    ),
  };
}

function pods(what: string): number {
  return Math.ceil(needOf('large', what).value);
}

function operations(...all: readonly (readonly [op: string, path: string, value: Yaml])[]): string {
  return JSON.stringify(all.map(([op, path, value]) => ({ op, path, value })));
}
