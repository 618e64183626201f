import { describe, expect, it } from 'vitest';
import { machineState, processesOf, tracesOf, type MachineState } from '../../containers/machine/traces.ts';

const BEFORE: MachineState = {
  mounts: ['/'], addresses: ['127.0.0.1/8 of lo'], links: ['lo'],
  controlGroups: ['/sys/fs/cgroup/cpu'], processNamespaces: ['pid:[1]'],
};

describe('the traces of a run', () => {
  it('are none when all is as it was, or less', () => {
    expect(tracesOf(BEFORE, BEFORE)).toEqual([]);
    expect(tracesOf(BEFORE, { ...BEFORE, mounts: [] })).toEqual([]);
  });

  it.each<[Partial<MachineState>, string]>([
    [{ mounts: ['/', '/left'] }, 'left a mount at /left'],
    [{ addresses: ['127.0.0.1/8 of lo', '127.1.0.1/32 of lo'] }, 'left the address 127.1.0.1/32 of lo'],
    [{ links: ['lo', 'docker0'] }, 'left the network interface docker0'],
    [{ controlGroups: ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu/docker'] },
      'left the control group /sys/fs/cgroup/cpu/docker'],
    [{ processNamespaces: ['pid:[1]', 'pid:[2]'] }, 'left a process in pid:[2]'],
  ])('name %j', (change, said) => {
    expect(tracesOf(BEFORE, { ...BEFORE, ...change })).toEqual([said]);
  });

  it('are found on this machine, and no process of a run that never was', () => {
    expect(machineState().mounts).toContain('/');
    expect(processesOf('never')).toEqual([]);
  });
});
