import { fillDisk, freeDisk, type DiskName } from '../cluster/small-disks.ts';
import type { Fault } from '../scenario.ts';

/** Not a byte more fits on a disk; at the end there is room again. */
export function fullDisk(name: DiskName): Fault {
  return {
    name: 'disk full', target: name,
    begin: ({ cluster }) => fillDisk(cluster.dir, name),
    end: ({ cluster }) => freeDisk(cluster.dir, name),
  };
}
