import { example, wholeFrom } from '../../adapters/command-line/command-line.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import { drainProcess, type DrainPorts } from './drain-process.ts';
import { waitForLag } from './wait-for-lag.ts';
import type { Report } from '../ports.ts';
import { misuse, notFound, noun } from '../noun.ts';
import { tableOf, type PrintedLine } from '../print/lines.ts';

interface DrainOptions {
  readonly pid?: string;
  readonly group?: string;
  readonly untilLag: number;
  readonly maxSeconds: number;
}

type Ports = DrainPorts & { readonly watch: LogWatch };

/**
 * `rastro drain --pid PID`: takes a process out without an error, as an orchestrator does.
 * `rastro drain --group PREFIX`: waits until what is in the log is worked off. Exit code 1 when it
 * took too long, or when no member is left to go on.
 */
export const drainCommand = noun<Ports>((command, does) => {
  example(command
    .description('Takes out one process as `kubectl drain` does, or waits until groups are idle.')
    .option('--pid <pid>', 'a process of this machine: it ends its work, commits and leaves')
    .option('--group <prefix>', 'wait until no group that begins so is behind')
    .option('--until-lag <n>', 'records that a group may be behind', wholeFrom(0), 0)
    .option('--max-seconds <s>', 'how long to wait', wholeFrom(1), 60)
    .action(does(drain)),
  'rastro drain --pid 4711 --max-seconds 30',
  'Exit codes: 0 drained, 1 not in time or no other member took over, 2 wrong use, 3 not found.');
});

async function drain(
  ports: Ports, { pid, group, untilLag, maxSeconds }: DrainOptions,
): Promise<Report> {
  if ((pid === undefined) === (group === undefined)) {
    return misuse('Say what to drain: --pid PID or --group PREFIX.');
  }
  const deadlineMs = ports.clock.nowMs() + maxSeconds * 1_000;
  if (group !== undefined) return drainGroups(ports, group, untilLag, deadlineMs);
  // 0 and below would name groups of processes, and 1 the whole machine.
  const id = /^[1-9]\d{0,8}$/.test(pid ?? '') ? Number(pid) : 1;
  if (id === 1) return misuse('--pid takes the id of one process.');
  if (!ports.processes.isAlive(id)) {
    return notFound(`There is no process ${id} on this machine.`);
  }
  return drainOne(ports, id, maxSeconds, deadlineMs);
}

async function drainOne(
  ports: Ports, pid: number, seconds: number, deadlineMs: number,
): Promise<Report> {
  const drained = await drainProcess(ports, pid, deadlineMs);
  const value = { pid, ...drained };
  if (!drained.ended) {
    return problem(value, [], `${pid} was asked to end and has not after ${seconds} s. `
      + 'Nothing was forced; what it holds is not lost if it is killed, only done again.');
  }
  const lines = [`${pid} has ended.`, ...(drained.groups.length === 0 ? [] : tableOf(
    ['GROUP', 'LEFT', 'MEMBERS'],
    drained.groups.map(({ group, left, members }) => [group, left, members]),
  ))];
  const alone = drained.groups.filter(({ members }) => members === 0).map(({ group }) => group);
  if (alone.length > 0) {
    return problem(value, lines, `No process reads any more in ${alone.join(', ')}: records wait.`);
  }
  if (!drained.rebalanced) {
    return problem(value, lines, 'Its groups are still rebalancing: see rastro lag.');
  }
  return { value, lines, exitCode: 0 };
}

async function drainGroups(
  ports: Ports, prefix: string, recordsMax: number, deadlineMs: number,
): Promise<Report> {
  const groups = await waitForLag(ports, prefix, recordsMax, deadlineMs);
  const value = { until_lag: recordsMax, groups };
  if (groups.length === 0) {
    return notFound(`No group that begins with ${prefix} has committed anything.`);
  }
  const lines = tableOf(['GROUP', 'RECORDS'], groups.map(({ group, records }) => [group, records]));
  const behind = groups.filter(({ records }) => records > recordsMax);
  if (behind.length === 0) return { value, lines, exitCode: 0 };
  return problem(value, lines, `Still behind: ${behind.map(({ group }) => group).join(', ')}.`);
}

function problem(value: object, lines: readonly PrintedLine[], sentence: string): Report {
  return { value: { ...value, problem: sentence }, lines: [...lines, sentence], exitCode: 1 };
}
