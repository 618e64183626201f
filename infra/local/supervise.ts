import { endLeftover, forgetProcess, lastOutput, startChild } from './child.ts'
import type { Child, ChildSpec } from './child.ts'
import type { Log, Part } from './part.ts'
import { waitFor } from './wait.ts'

/** A process to keep alive, how to ask it whether it works, and the limits (milliseconds). */
export type SupervisedSpec = {
  readonly child: ChildSpec
  /** Runs before each start, the first and every later one. */
  readonly prepare?: () => void
  /** Asks in the part's own protocol; must answer false, not throw, while it is not ready. */
  readonly probe: () => Promise<boolean>
  readonly readyMsMax: number
  readonly stopMsMax: number
  readonly log: Log
}

const RESTART_DELAY_MS_MIN = 100
const RESTART_DELAY_MS_MAX = 5_000
const RESTARTS_IN_A_ROW_MAX = 20
const HEALTHY_AFTER_MS = 10_000

type State = 'down' | 'starting' | 'up' | 'failed'

/**
 * Starts a process, waits until it is ready, and starts it again whenever it ends unexpectedly,
 * with growing pauses and a limit on failures in a row. A first start that fails throws.
 */
export async function supervise(spec: SupervisedSpec): Promise<Part> {
  const { name, dir } = spec.child
  let state: State = 'down'
  let wanted = false
  let current: Child | undefined
  let restartTimer: NodeJS.Timeout | undefined
  let failuresInARow = 0

  async function launch(): Promise<void> {
    spec.prepare?.()
    const startedAt = Date.now()
    const child = startChild(spec.child)
    current = child
    state = 'starting'
    void child.ended.then((outcome) => onEnd(child, outcome, Date.now() - startedAt))
    await waitFor(spec.probe, {
      what: `The start of ${name}`,
      deadlineMs: spec.readyMsMax,
      hopeless: () => child.outcome(),
    })
    if (current !== child || child.outcome() !== undefined) throw new Error(`${name} ended early.`)
    state = 'up'
    spec.log('info', `${name} is ready after ${Date.now() - startedAt} ms (process ${child.pid})`)
  }

  function onEnd(child: Child, outcome: string, livedMs: number): void {
    if (current !== child) return
    const wasFirstStart = state === 'starting' && failuresInARow === 0
    current = undefined
    state = 'down'
    forgetProcess(dir)
    if (!wanted || wasFirstStart) return
    failuresInARow = livedMs > HEALTHY_AFTER_MS ? 1 : failuresInARow + 1
    if (failuresInARow > RESTARTS_IN_A_ROW_MAX) {
      state = 'failed'
      spec.log('warning', `${name} ${outcome} and is given up after ${RESTARTS_IN_A_ROW_MAX} tries`)
      return
    }
    const doubled = RESTART_DELAY_MS_MIN * 2 ** (failuresInARow - 1)
    const delayMs = Math.min(doubled, RESTART_DELAY_MS_MAX)
    spec.log('warning', `${name} ${outcome} unexpectedly; starting it again in ${delayMs} ms`)
    restartTimer = setTimeout(() => void relaunch(), delayMs)
  }

  async function relaunch(): Promise<void> {
    await launch().catch((error: Error) => {
      if (!wanted) return
      spec.log('warning', error.message)
      current?.kill()
    })
  }

  async function start(): Promise<void> {
    if (wanted) return ready()
    wanted = true
    failuresInARow = 0
    try {
      await endLeftover(dir)
      await launch()
    } catch (error) {
      await stop()
      const reason = (error as Error).message
      throw new Error(`${reason} The last lines of ${name}:\n${lastOutput(dir)}`, { cause: error })
    }
  }

  async function ready(): Promise<void> {
    await waitFor(() => state === 'up', {
      what: `Readiness of ${name}`,
      deadlineMs: spec.readyMsMax + RESTART_DELAY_MS_MAX,
      everyMs: 20,
      hopeless: () => (state === 'failed' || !wanted ? `${name} is stopped.` : undefined),
    })
  }

  async function stop(): Promise<void> {
    wanted = false
    clearTimeout(restartTimer)
    const child = current
    if (child === undefined) return
    child.askToEnd()
    const patience = setTimeout(() => child.kill(), spec.stopMsMax)
    await child.ended
    clearTimeout(patience)
  }

  async function kill(): Promise<void> {
    const child = current
    child?.kill()
    await child?.ended
  }

  const restart = async (): Promise<void> => {
    await stop()
    await start()
  }

  await start()
  return { name, pid: () => current?.pid, ready, kill, stop, start, restart }
}
