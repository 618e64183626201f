import { readFileSync } from 'node:fs';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { HistoryLine } from '../../faults/history.ts';
import type { LineWriter } from '../../faults/workload/history-writer.ts';
import type { ProcessFigures, CallFigures } from './assess.ts';

const NS_PER_MS = 1_000_000;
const PAGE_BYTES = 4_096;
const MIB = 1_048_576;
const LOOK_MS = 200;

/** What honest callers and processes go through, span by span. */
export interface CallWatch {
  /** Where the honest workload writes its history. */
  readonly history: LineWriter<HistoryLine>;
  /** Begins a span; `end` says what was seen in it. */
  begin(): { end(): { readonly seen: CallFigures; readonly processes: readonly ProcessFigures[] } };
  close(): void;
}

/** Watches a cluster whose honest callers write to `history`. */
export function watch(cluster: TestCluster, history: LineWriter<HistoryLine>): CallWatch {
  let tries: HistoryLine[] = [];
  const greatest = new Map<string, number>();
  const timer = setInterval(() => {
    for (const { name, part } of cluster.processes.values()) {
      greatest.set(name, Math.max(greatest.get(name) ?? 0, rssMiBOf(part.pid())));
    }
  }, LOOK_MS);
  const livesOf = (): ReadonlyMap<string, number> => (
    new Map([...cluster.processes.values()].map((process) => [process.name, process.lives()]))
  );
  return {
    history: {
      ...history,
      write(line) {
        tries.push(line);
        history.write(line);
      },
    },
    begin() {
      tries = [];
      greatest.clear();
      const beganNs = process.hrtime.bigint();
      const before = livesOf();
      return {
        end() {
          const after = livesOf();
          return {
            seen: seenIn(tries.filter(({ t_invoke_ns }) => BigInt(t_invoke_ns) >= beganNs)),
            processes: [...after].map(([name, lives]) => ({
              name, endings: lives - (before.get(name) ?? lives),
              rssMiBMax: greatest.get(name) ?? 0,
            })),
          };
        },
      };
    },
    close: () => clearInterval(timer),
  };
}

/** What these tries saw. A try without an answer counts with the time that it waited. */
export function seenIn(tries: readonly HistoryLine[]): CallFigures {
  const ms = tries.map(({ t_invoke_ns, t_return_ns }) => (
    Number(BigInt(t_return_ns) - BigInt(t_invoke_ns)) / NS_PER_MS
  )).sort((a, b) => a - b);
  return {
    calls: tries.length,
    unanswered: tries.filter(({ outcome }) => outcome === 'info').length,
    p99Ms: Math.round(ms[Math.floor(ms.length * 0.99)] ?? 0),
  };
}

function rssMiBOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return Math.round(pages * PAGE_BYTES / MIB);
  } catch {
    return 0; // It ended between the look and the reading.
  }
}
