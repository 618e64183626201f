import { join } from 'node:path';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { partIn, type ClusterPart } from '../part.ts';

/** Volumes with a small disk of their own; all of it is in memory. */
export const SMALL_DISKS = {
  'data-rastro-brokers-0': '256m', 'data-redis-0': '256m', 'data-clickhouse-0': '512m',
} as const;

/** A volume with a small disk. */
export type SmallDisk = keyof typeof SMALL_DISKS;

/** A disk that is kept full. */
export interface FilledDisk {
  /** Gives back what was taken. */
  readonly free: () => Promise<void>;
}

const COMMAND_MS_MAX = 300_000;
const FULL_MS_MAX = 300_000;
const MOUNT = 'mountpoint -q "$0" || mount -t tmpfs -o mode=777,size="$1" none "$0"';
/** Takes what others give back, too. */
const FILL = 'while :; do dd if=/dev/zero of="$0" bs=4k oflag=append conv=notrunc 2> /dev/null || true;'
  + ' sleep 1; done';

/** Mounts the disks on a node, before anything is on them. */
export async function mountSmallDisks(namespaces: Namespaces, volumes: string): Promise<void> {
  for (const [name, size] of Object.entries(SMALL_DISKS)) {
    await namespaces.run(['sh', '-c', MOUNT, join(volumes, name), size], COMMAND_MS_MAX);
  }
}

/** Writes until nothing more fits, and again whenever something does. */
export async function fillDisk(
  namespaces: Namespaces, folder: string, disk: string,
): Promise<FilledDisk> {
  const file = join(disk, 'filler');
  const filler: ClusterPart = partIn(namespaces, folder, 'filler', ['sh', '-c', FILL, file]);
  const free = async (): Promise<void> => {
    await filler.end('KILL');
    // A write in progress may end later than the shell that asked for it.
    await waitFor(async () => {
      await namespaces.run(['rm', '-f', file], COMMAND_MS_MAX);
      // Brackets keep the pattern from being found in the words of this very command.
      return namespaces.run(['pgrep', '-f', `[o]f=${file}`], COMMAND_MS_MAX)
        .then(() => false, () => true);
    }, { what: `Room in ${disk}`, deadlineMs: COMMAND_MS_MAX, everyMs: 500 });
  };
  filler.start();
  await waitFor(() => namespaces.run(['sh', '-c', '[ "$(stat -f -c %a "$0")" = 0 ]', disk], COMMAND_MS_MAX)
    .then(() => true, () => false), {
    what: `A full ${disk}`, deadlineMs: FULL_MS_MAX, everyMs: 200,
  }).catch(async (error: unknown) => {
    await free();
    throw error;
  });
  return { free };
}
