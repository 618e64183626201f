import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { commitOf } from '../../../scripts/suite/commit.ts';

/** What a figure must be read with. */
export interface MachineFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  readonly commit: string;
  /** Load of the minute before the run: above the number of cores others were at work. */
  readonly loadBefore: number;
}

const GIB = 1_024 ** 3;

/** Reads the facts of this machine now. */
export function machineFacts(): MachineFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / GIB),
    kernel: release(),
    node: process.version,
    commit: commitOf(),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}
