import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../infra/local/command.ts';
import { RUN_VARIABLE } from '../machine/namespaces.ts';

const LEFT_ADDRESS = '127.77.0.1/32';
const SHORT_MS_MAX = 20_000;
const STAYS = 'setInterval(() => {}, 60_000)';

/** A process that is no one's child any more. */
export function leaveProcess({ runId }: { readonly runId: string }): Promise<() => void> {
  const child = spawn(process.execPath, ['-e', STAYS], {
    detached: true, stdio: 'ignore', env: { ...process.env, [RUN_VARIABLE]: runId },
  });
  child.unref();
  return Promise.resolve(() => { child.kill('SIGKILL'); });
}

/** A mount in the folder of the run. */
export async function leaveMount(
  { folder }: { readonly folder: string },
): Promise<() => Promise<void>> {
  const place = join(folder, 'left');
  mkdirSync(place);
  await run('mount', ['-t', 'tmpfs', 'none', place], { deadlineMs: SHORT_MS_MAX });
  return async () => { await run('umount', [place], { deadlineMs: SHORT_MS_MAX }); };
}

/** An address of this machine's loopback. */
export async function leaveAddress(): Promise<() => Promise<void>> {
  await run('ip', ['address', 'add', LEFT_ADDRESS, 'dev', 'lo'], { deadlineMs: SHORT_MS_MAX });
  return async () => {
    await run('ip', ['address', 'delete', LEFT_ADDRESS, 'dev', 'lo'], { deadlineMs: SHORT_MS_MAX });
  };
}
