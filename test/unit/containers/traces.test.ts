import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  controlGroupsOf, machineState, processesOf, tracesOf, type MachineState,
} from '../../containers/machine/traces.ts';

const BEFORE: MachineState = {
  mounts: ['/run/one'], addresses: ['127.0.0.1/8 of lo'], links: ['lo'],
  folders: [],
};

describe('the traces of a run', () => {
  it('are none when all is as it was, or less', () => {
    expect(tracesOf(BEFORE, BEFORE)).toEqual([]);
    expect(tracesOf(BEFORE, { ...BEFORE, mounts: [] })).toEqual([]);
  });

  it.each<[Partial<MachineState>, string]>([
    [{ mounts: ['/run/one', '/run/left'] }, 'left a mount at /run/left'],
    [{ addresses: ['127.0.0.1/8 of lo', '127.1.0.1/32 of lo'] }, 'left the address 127.1.0.1/32 of lo'],
    [{ links: ['lo', 'docker0'] }, 'left the network interface docker0'],
    [{ folders: ['/var/lib/kubelet'] }, 'left the folder /var/lib/kubelet'],
  ])('name %j', (change, said) => {
    expect(tracesOf(BEFORE, { ...BEFORE, ...change })).toEqual([said]);
  });

  it('are those of the run alone, whatever runs beside it', () => {
    const { mounts, links } = machineState('/nowhere');
    expect(mounts).toEqual([]);
    expect(links).toContain('lo');
    expect(processesOf('never')).toEqual([]);
    expect(controlGroupsOf('never')).toEqual([]);
  });

  it('name a process by the variable that it has', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], {
      stdio: 'ignore', env: { ...process.env, RASTRO_CONTAINERS_RUN: 'of-this-test' },
    });
    onTestFinished(() => { child.kill('SIGKILL'); });
    await once(child, 'spawn');
    await vi.waitFor(() => {
      expect(processesOf('of-this-test'))
        .toEqual([expect.stringMatching(`^${String(child.pid)} \\(.*setInterval`)]);
    });
  });
});
