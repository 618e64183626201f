import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Sample } from '../run-files.ts';
import { nowNs, type LineWriter } from '../workload/history-writer.ts';

const EVERY_MS = 1_000;
/** How often a process is asked what its heap holds. */
const HEAP_EVERY_MS = 5_000;
const HEAP_MS_MAX = 2_000;
const PAGE_BYTES = 4_096;
const HELD = /^nodejs_(?:heap_size_used|external_memory)_bytes (\S+)$/gm;

/** Looks at every process of the product once a second; answers how to end that. */
export function startSampler(cluster: TestCluster, samples: LineWriter<Sample>): () => void {
  const held = new Map<number, number>();
  const timer = setInterval(() => {
    for (const { name, part } of cluster.processes.values()) {
      const pid = part.pid();
      const sample = pid === undefined ? undefined : sampleOf(pid);
      if (pid === undefined || sample === undefined) continue;
      const held_bytes = held.get(pid);
      held.delete(pid);
      samples.write({
        t_ns: nowNs(), process: name, pid, ...sample,
        ...(held_bytes === undefined ? {} : { held_bytes }),
      });
    }
  }, EVERY_MS);
  const heapTimer = setInterval(() => {
    for (const { part, adminUrl } of cluster.processes.values()) {
      const pid = part.pid();
      if (pid === undefined) continue;
      void heldBy(adminUrl).then((bytes) => {
        if (bytes > 0) held.set(pid, bytes);
      });
    }
  }, HEAP_EVERY_MS);
  return () => {
    clearInterval(timer);
    clearInterval(heapTimer);
  };
}

/** Bytes of heap and buffers in use, as the process says; 0 from one that does not answer. */
async function heldBy(adminUrl: string): Promise<number> {
  try {
    const answer = await fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(HEAP_MS_MAX) });
    const values = [...(await answer.text()).matchAll(HELD)].map(([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0);
  } catch {
    return 0; // Frozen, ended, or not yet ready.
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
