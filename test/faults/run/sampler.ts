import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCluster } from '../cluster/cluster.ts';
import { RUN_FILES, type Sample } from '../run-files.ts';
import { nowNs, type LineWriter } from '../workload/history-writer.ts';

const EVERY_MS = 1_000;
const PAGE_BYTES = 4_096;

/** Looks at every process of the product once a second; answers how to end that. */
export function startSampler(cluster: TestCluster, samples: LineWriter<Sample>): () => void {
  const timer = setInterval(() => {
    for (const { name, part } of cluster.processes.values()) {
      const pid = part.pid();
      const sample = pid === undefined ? undefined : sampleOf(pid);
      if (pid === undefined || sample === undefined) continue;
      samples.write({
        t_ns: nowNs(), process: name, pid, ...sample, ...heldIn(join(cluster.dir, name)),
      });
    }
  }, EVERY_MS);
  return () => { clearInterval(timer); };
}

/** Bytes of heap and buffers in use, as the process wrote them; none before it first did. */
function heldIn(dir: string): Pick<Sample, 'held_bytes'> {
  try {
    const bytes = Number(readFileSync(join(dir, RUN_FILES.held), 'utf8'));
    return bytes > 0 ? { held_bytes: bytes } : {};
  } catch {
    return {}; // It has just begun.
  }
}

function sampleOf(pid: number): Pick<Sample, 'rss_bytes' | 'sockets'> | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(pid, fd)).length;
    return { rss_bytes: pages * PAGE_BYTES, sockets };
  } catch {
    return undefined; // It ended between the look and the reading.
  }
}

function isSocket(pid: number, fd: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
  } catch {
    return false; // Closed meanwhile.
  }
}
