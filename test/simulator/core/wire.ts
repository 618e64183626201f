import type { Clock, Pause } from '../../../services/kernel/clock.ts';
import type { Code } from '../../../services/kernel/codes.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { SimProcess, Scheduler } from './scheduler.ts';
import type { Weather } from './weather.ts';

/** Everything between processes and what they share. */
export interface Wire {
  readonly scheduler: Scheduler;
  readonly weather: Weather;
  /**
   * One exchange of a process: `effect` happens at one moment, if it happens at all, and the
   * answer takes its own time. Rejects with an Unavailable of `code` when it is dropped or lost.
   */
  exchange<Answer>(
    process: SimProcess, label: string, code: Code, effect: () => Answer | Promise<Answer>,
  ): Promise<Answer>;
  /** A port whose every call is an exchange of the process. */
  portOf<Port extends object>(process: SimProcess, name: string, port: Port): Port;
  clockOf(process: SimProcess): Clock;
  pauseOf(process: SimProcess): Pause;
}

/** Makes the wire. */
export function createWire(scheduler: Scheduler, weather: Weather): Wire {
  const exchange: Wire['exchange'] = (process, label, code, effect) =>
    new Promise((resolve, reject) => {
      const answer = (what: string, run: () => void): void => {
        scheduler.post(process, 'answer', `${label} ${what}`, weather.latencyMs(), run);
      };
      const lost = (what: string): void => answer(what, () => {
        reject(new Unavailable(code, 'apply', `${label}: ${what}`));
      });
      scheduler.post(process, 'request', label, weather.latencyMs(), () => {
        const outcome = weather.outcome();
        if (outcome === 'dropped') return lost('dropped');
        void (async () => effect())().then(
          (value) => {
            if (outcome === 'answer-lost') lost('done, answer lost');
            else answer('answered', () => { resolve(value); });
          },
          (error: unknown) => answer('rejected', () => {
            reject(error instanceof Error ? error : new Error(String(error)));
          }),
        );
      });
    });

  return {
    scheduler,
    weather,
    exchange,
    portOf(process, name, port) {
      const methods = Object.entries(port).map(([method, call]) => [
        method,
        (...args: readonly unknown[]) => exchange(process, `${name}.${method}${about(args[0])}`,
          'state_unavailable', () => (call as (...all: readonly unknown[]) => unknown)(...args)),
      ]);
      return Object.fromEntries(methods) as typeof port;
    },
    clockOf: (process) => ({ nowMs: () => scheduler.nowMs() + process.skewMs }),
    pauseOf: (process) => (ms) => new Promise((resolve) => {
      scheduler.post(process, 'timer', `pause of ${ms} ms`, ms, resolve);
    }),
  };
}

/** What a call is about, unless that is a random text, which would make every trace another. */
function about(first: unknown): string {
  return typeof first === 'string' && first.length <= 40 ? `(${first})` : '';
}
