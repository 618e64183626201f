import { endLeftover, forgetProcess, lastOutput, startChild } from './child.ts';
import type { Child, ChildSpec } from './child.ts';
import type { Log, Part } from './part.ts';
import { RESTART_PAUSE_MS_MAX, restartPauses } from './restart-pauses.ts';
import { waitFor } from './wait.ts';

/** A process to keep alive, how to ask it whether it works, and the limits (milliseconds). */
export type SupervisedSpec = {
  readonly child: ChildSpec;
  /** Runs before each start, the first and every later one. */
  readonly prepare?: () => void;
  /** Asks in the part's own protocol; must answer false, not throw, while it is not ready. */
  readonly probe: () => Promise<boolean>;
  readonly readyMsMax: number;
  readonly stopMsMax: number;
  readonly log: Log;
};

/** What a part was asked to be; `failed` when it ended too often in a row. */
type Wish = 'stopped' | 'starting' | 'running' | 'failed';

/**
 * Starts a process, waits until it is ready, and starts it again whenever it ends unexpectedly,
 * with growing pauses and a limit on short lives in a row. A first start that fails throws.
 */
export async function supervise(spec: SupervisedSpec): Promise<Part> {
  const { name, dir } = spec.child;
  let wish: Wish = 'stopped';
  let current: Child | undefined;
  let isReady = false;
  let nextStart: NodeJS.Timeout | undefined;
  let pauseAfter = restartPauses();

  async function launch(): Promise<void> {
    const startedAt = Date.now();
    spec.prepare?.();
    const child = startChild(spec.child);
    current = child;
    void child.ended.then((outcome) => onEnd(outcome, Date.now() - startedAt));
    await untilReady(spec, child);
    if (wish === 'stopped') return;
    isReady = true;
    wish = 'running';
    spec.log('info', `${name} is ready after ${Date.now() - startedAt} ms (process ${child.pid})`);
  }

  function onEnd(outcome: string, livedMs: number): void {
    current = undefined;
    isReady = false;
    forgetProcess(dir);
    if (wish !== 'running') return;
    const pauseMs = pauseAfter(livedMs);
    if (pauseMs === undefined) {
      wish = 'failed';
      return spec.log('warning', `${name} ${outcome} once more and is given up`);
    }
    spec.log('warning', `${name} ${outcome} unexpectedly; it starts again in ${pauseMs} ms`);
    const report = (error: unknown): void => {
      if (wish === 'running') spec.log('warning', (error as Error).message);
    };
    nextStart = setTimeout(() => void launch().catch(report), pauseMs);
  }

  async function start(): Promise<void> {
    if (wish === 'running') return ready();
    wish = 'starting';
    pauseAfter = restartPauses();
    try {
      await endLeftover(dir);
      await launch();
    } catch (error) {
      await stop();
      const reason = (error as Error).message;
      throw new Error(`${reason} Its last lines:\n${lastOutput(dir)}`, { cause: error });
    }
  }

  async function ready(): Promise<void> {
    await waitFor(() => isReady, {
      what: `Readiness of ${name}`,
      deadlineMs: spec.readyMsMax + RESTART_PAUSE_MS_MAX,
      everyMs: 20,
      hopeless: () => (wish === 'stopped' || wish === 'failed' ? `it is ${wish}.` : undefined),
    });
  }

  async function stop(): Promise<void> {
    wish = 'stopped';
    clearTimeout(nextStart);
    if (current !== undefined) await endInOrder(current, spec.stopMsMax);
  }

  async function kill(): Promise<void> {
    current?.kill();
    await current?.ended;
  }

  await start();
  const restart = (): Promise<void> => stop().then(start);
  return { name, pid: () => current?.pid, ready, kill, stop, start, restart };
}

/** A process that does not become ready in time is killed, so that a restart can follow. */
async function untilReady(spec: SupervisedSpec, child: Child): Promise<void> {
  try {
    await waitFor(async () => (await spec.probe()) && child.outcome() === undefined, {
      what: `The start of ${spec.child.name}`,
      deadlineMs: spec.readyMsMax,
      hopeless: () => child.outcome(),
    });
  } catch (error) {
    child.kill();
    throw error;
  }
}

async function endInOrder(child: Child, stopMsMax: number): Promise<void> {
  child.askToEnd();
  const patience = setTimeout(() => child.kill(), stopMsMax);
  await child.ended;
  clearTimeout(patience);
}
