import { benchMemory, soakMemory } from '../measured.ts';
import { gatewayProcesses, workerProcesses, type Process } from '../processes.ts';
import { needOf } from './fleets.ts';
import type { Yaml } from '../yaml.ts';

/** One core is for two gateways, two workers, live feeds, a command line, two exporters, a Job. */
const CPU = 200;
/** What the live gateway asks for: it follows the log for the few who look at its feeds. */
const LIVE_CPU = '50m';
/** Its user reads the log, and those of other gateways do not, so it stays a process of its own. */
const LIVE = 'live';
/** What a gateway holds of bodies and records, and an insert with what is read ahead. */
const HELD_MIB = 320;
const INSERT_MIB = 192;

/** All gateways in one program and all workers in another, two Pods of each. */
export function wholeProcesses(): readonly Process[] {
  const cpu = {
    value: CPU,
    because: 'two gateways, two workers, the command line, exporters and a Job in one core;\n'
      + `gateways of this fleet need ${rounded(needOf('small', 'gateways: cores').value)} cores, writers `
      + `${rounded(needOf('small', 'table-writers: cores').value)}`,
  };
  const [gateway, workers, parties] = [
    soakMemory('gateway'), soakMemory('workers'), soakMemory('parties'),
  ];
  const held = benchMemory().value + HELD_MIB;
  const both = workers.value + parties.value + INSERT_MIB;
  return [
    {
      ...whole('gateways', gatewayProcesses().filter(({ name }) => name !== LIVE)), cpu,
      memory: {
        request: gateway,
        limit: { value: held, because: `${benchMemory().because}\n+ ${HELD_MIB} of bodies and waiting records` },
      },
    },
    {
      ...whole('workers', workerProcesses()), cpu,
      memory: {
        request: { value: both, because: `${workers.because}\n+ ${parties.because}\n+ ${INSERT_MIB} of inserts` },
        limit: { value: 2 * both, because: 'as much again for garbage' },
      },
    },
  ];
}

/** What makes the small profile of the base: processes go, and Services find the new ones. */
export function smallPatches(): readonly Yaml[] {
  const gateways = gatewayProcesses().filter(({ name }) => name !== LIVE);
  const others = [...gateways, ...workerProcesses()];
  return [
    ...others.flatMap(({ name }) => [
      deletion('apps/v1', 'Deployment', name), deletion('policy/v1', 'PodDisruptionBudget', name),
    ]),
    {
      target: { kind: 'Service', name: gateways.map(({ name }) => name).join('|') },
      patch: JSON.stringify([{
        op: 'replace', path: '/spec/selector/app.kubernetes.io~1name', value: 'gateways',
      }]),
    },
    {
      target: { kind: 'Deployment', name: LIVE },
      patch: JSON.stringify([
        { op: 'add', path: '/spec/replicas', value: 1 },
        {
          op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/cpu',
          value: LIVE_CPU,
        },
      ]),
    },
  ];
}

function whole(name: 'gateways' | 'workers', all: readonly Process[]): Process {
  const [first] = all;
  if (first === undefined) throw new Error(`There are no ${name}.`);
  const secrets = new Map(all.flatMap((each) => each.secrets).map((each) => [each.variable, each]));
  return {
    ...first, name, isWhole: true, secrets: [...secrets.values()],
    hasImages: all.some(({ hasImages }) => hasImages),
    callsParties: all.some(({ callsParties }) => callsParties),
  };
}

function deletion(apiVersion: string, kind: string, name: string): Yaml {
  return { patch: JSON.stringify({ $patch: 'delete', apiVersion, kind, metadata: { name } }) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
