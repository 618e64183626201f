import { waitFor } from '../../../infra/local/wait.ts';
import { groupOf, type Namespaces } from './namespaces.ts';

const REMOVE_MS_MAX = 600_000;
/** Containers are in groups of the machine, below that of the caller. */
const REMOVE = 'for group in "/sys/fs/cgroup/$0" /sys/fs/cgroup/*/"$0"; do '
  + '[ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} +; done';
/** Every process in the namespaces but their first one and this. */
const END_ALL = 'kill -KILL -1 2> /dev/null || true';

/** Removes the control groups of the containers of a run, which have ended. */
export async function removeGroups(namespaces: Namespaces, runId: string): Promise<void> {
  await namespaces.run(['sh', '-c', REMOVE, groupOf(runId)], REMOVE_MS_MAX);
}

/** Ends everything that runs in the namespaces, and removes its control groups. */
export async function endAll(namespaces: Namespaces, runId: string): Promise<void> {
  await waitFor(async () => {
    await namespaces.run(['sh', '-c', END_ALL], REMOVE_MS_MAX).catch(() => undefined);
    return removeGroups(namespaces, runId).then(() => true, () => false);
  }, { what: 'The end of the control groups', deadlineMs: REMOVE_MS_MAX, everyMs: 250 });
}
