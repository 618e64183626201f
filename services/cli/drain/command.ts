import { parseArgs } from 'node:util';
import type { LogWatch } from '../../kernel/log-watch.ts';
import { drainProcess, type DrainPorts } from './drain-process.ts';
import { waitForLag } from './wait-for-lag.ts';
import type { Report } from '../ports.ts';
import { misuse } from '../usage.ts';
import { tableOf } from '../watch/table.ts';
import { countOf } from '../watch/window.ts';

const OPTIONS = {
  pid: { type: 'string' },
  group: { type: 'string' },
  'until-lag': { type: 'string', default: '0' },
  'max-seconds': { type: 'string', default: '60' },
} as const;

type Ports = DrainPorts & { readonly watch: LogWatch };

/**
 * `rastro drain --pid PID`: takes a process out without an error, as an orchestrator does.
 * `rastro drain --group PREFIX`: waits until what is in the log is worked off. Exit code 1 when it
 * did not come to that in time, or when nobody is left to go on.
 */
export async function drainCommand(ports: Ports, args: readonly string[]): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const { pid, group } = values;
  if (positionals.length > 0 || (pid === undefined) === (group === undefined)) {
    return misuse('Say what to drain: --pid PID or --group PREFIX.');
  }
  const seconds = countOf(values['max-seconds']);
  if (seconds === undefined) return misuse('--max-seconds takes a whole number of at least 1.');
  const deadlineMs = ports.clock.nowMs() + seconds * 1_000;
  if (group !== undefined) {
    const lag = values['until-lag'] === '0' ? 0 : countOf(values['until-lag']);
    if (lag === undefined) return misuse('--until-lag takes a whole number.');
    return drainGroups(ports, group, lag, deadlineMs);
  }
  // 0 and below would name groups of processes, and 1 the whole machine.
  const id = countOf(pid ?? '');
  if (id === undefined || id === 1) return misuse('--pid takes the id of one process.');
  if (!ports.processes.isAlive(id)) {
    return problem({ pid: id, ended: false }, [], `There is no process ${id} on this machine.`);
  }
  return drainOne(ports, id, seconds, deadlineMs);
}

async function drainOne(
  ports: Ports, pid: number, seconds: number, deadlineMs: number,
): Promise<Report> {
  const drained = await drainProcess(ports, pid, deadlineMs);
  const value = { pid, ...drained };
  if (!drained.ended) {
    return problem(value, [], `${pid} was told to end and has not after ${seconds} s. `
      + 'Nothing was forced; what it holds is not lost if it is killed, only done again.');
  }
  const lines = [`${pid} has ended.`, ...(drained.groups.length === 0 ? [] : tableOf(
    ['GROUP', 'LEFT', 'MEMBERS'],
    drained.groups.map(({ group, left, members }) => [group, left, members]),
  ))];
  const alone = drained.groups.filter(({ members }) => members === 0).map(({ group }) => group);
  if (alone.length > 0) {
    return problem(value, lines, `Nobody reads any more in ${alone.join(', ')}: records wait.`);
  }
  if (!drained.settled) {
    return problem(value, lines, 'Its groups have not settled yet: see rastro lag.');
  }
  return { value, lines, exitCode: 0 };
}

async function drainGroups(
  ports: Ports, prefix: string, recordsMax: number, deadlineMs: number,
): Promise<Report> {
  const groups = await waitForLag(ports, prefix, recordsMax, deadlineMs);
  const value = { until_lag: recordsMax, groups };
  if (groups.length === 0) {
    return problem(value, [], `No group that begins with ${prefix} has committed anything.`);
  }
  const lines = tableOf(['GROUP', 'RECORDS'], groups.map(({ group, records }) => [group, records]));
  const behind = groups.filter(({ records }) => records > recordsMax);
  if (behind.length === 0) return { value, lines, exitCode: 0 };
  return problem(value, lines, `Still behind: ${behind.map(({ group }) => group).join(', ')}.`);
}

function problem(value: object, lines: readonly string[], sentence: string): Report {
  return { value: { ...value, problem: sentence }, lines: [...lines, sentence], exitCode: 1 };
}
