import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromShooter, Order, LoadTally, ToShooter } from './order.ts';

/** A process that posts. */
export interface Shooter {
  readonly pid: number;
  fire(order: Order): void;
  tally(): Promise<LoadTally>;
  /** Posts no more, waits for every answer in flight, and returns the last count. */
  cease(): Promise<LoadTally>;
  close(): Promise<void>;
}

/** Starts a shooter. */
export function openShooter(): Shooter {
  const child = fork(join(import.meta.dirname, 'shooter.ts'), { stdio: 'inherit' });
  const say = (word: ToShooter): void => { child.send(word); };
  async function hear(wanted: FromShooter['say']): Promise<LoadTally> {
    for (;;) {
      const [word] = await once(child, 'message') as [FromShooter];
      if (word.say === wanted) return word.tally;
    }
  }
  return {
    pid: child.pid ?? 0,
    fire: (order) => { say({ say: 'fire', order }); },
    tally() {
      const heard = hear('tally');
      say({ say: 'tally' });
      return heard;
    },
    cease() {
      const heard = hear('ceased');
      say({ say: 'cease' });
      return heard;
    },
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
