import type { AdmissionFacts, AdmissionReader, AdmissionRequest } from '../../kernel/admission.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LIMIT_NAMES } from '../../kernel/client-rates.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import { nextLingerMs } from '../../kernel/linger.ts';
import type { Signals } from '../../kernel/signals.ts';
import { createAnswerReader } from './admission-answer.ts';
import { ratesIn, type RedisConfig } from './config.ts';
import { keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';

interface Waiting {
  readonly request: AdmissionRequest;
  readonly lateAtMs: number;
  readonly resolve: (facts: AdmissionFacts) => void;
  readonly reject: (reason: unknown) => void;
}

const MICROSECONDS = 1_000_000;

/**
 * Reads that come while a call is in flight share the next one (`admissionFlightsMax`). Once
 * several come together they linger for more (`admissionLingerMsMax`). Nothing is remembered
 * between calls, neither good nor bad, so that a denial holds at once everywhere.
 */
export function createAdmissionReader(
  config: RedisConfig, runScript: RunScript, signals: Signals, clock: Clock,
): AdmissionReader {
  let waiting: Waiting[] = [];
  let flights = 0;
  let armed = false;
  let lingerMs = 0;
  const readAnswer = createAnswerReader();
  const rates = ratesIn(config);
  const limits = LIMIT_NAMES.flatMap((name) => (
    [MICROSECONDS / rates[name].perSecond, rates[name].burst]
  ));

  function flush(): void {
    armed = false;
    const now = clock.nowMs();
    while (waiting.length > 0 && flights < config.admissionFlightsMax) {
      const batch = waiting.slice(0, config.admissionBatchMax);
      waiting = waiting.slice(batch.length);
      const live = batch.filter((one) => one.lateAtMs > now || refuse(one));
      const placed = live.map((item): Placed<Waiting> => (
        { tag: tagOf(item.request.shard), item }
      ));
      for (const call of callsOf(placed, config.admissionBatchMax, config.cluster)) {
        void send(call.map(({ item }) => item));
      }
    }
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    flights += 1;
    lingerMs = nextLingerMs(lingerMs, batch.length, config.admissionLingerMsMax);
    const late = setTimeout(() => batch.forEach(refuse), lateIn(batch, clock.nowMs()));
    try {
      const answers = await runScript('admit', keysOf(batch), argsOf(limits, batch));
      deliver(batch, answers as readonly string[]);
    } catch (error) {
      for (const one of batch) one.reject(error);
    } finally {
      clearTimeout(late);
      flights -= 1;
      signals.admissionBatchRead({ calls: batch.length, seconds: waitedMs(batch) / 1_000 });
      if (waiting.length > 0) arm();
    }
  }

  function deliver(batch: readonly Waiting[], answers: readonly string[]): void {
    batch.forEach((one, i) => {
      const answer = answers[i] ?? '!';
      if (answer === '!') {
        one.reject(new Unavailable('state_not_ready', 'admit', 'the state is being rebuilt'));
      } else {
        one.resolve(readAnswer(answer));
      }
    });
  }

  /** How long the first of them, which waited longest, has waited until now. */
  function waitedMs([first]: readonly Waiting[]): number {
    const nowMs = clock.nowMs();
    return Math.max(0, nowMs - (first?.lateAtMs ?? nowMs) + config.admissionMsMax);
  }

  function arm(): void {
    if (armed) return;
    armed = true;
    const leftMs = lingerMs - waitedMs(waiting);
    if (leftMs <= 0) setImmediate(flush);
    else setTimeout(flush, leftMs);
  }

  return {
    read(request) {
      if (waiting.length >= config.admissionWaitingMax) {
        return Promise.reject(new Unavailable('state_unavailable', 'admit', 'too many reads wait'));
      }
      return new Promise((resolve, reject) => {
        const lateAtMs = clock.nowMs() + config.admissionMsMax;
        waiting.push({ request, lateAtMs, resolve, reject });
        arm();
      });
    },
  };
}

/** Rejects a read that waited too long. Rejecting one that has an answer changes nothing. */
function refuse(one: Waiting): false {
  one.reject(new Unavailable('state_unavailable', 'admit', 'Redis did not answer in time'));
  return false;
}

function lateIn(batch: readonly Waiting[], nowMs: number): number {
  return Math.max((batch[0]?.lateAtMs ?? nowMs) - nowMs, 1);
}

function keysOf(batch: readonly Waiting[]): string[] {
  return batch.map(({ request }) => keys.token(tagOf(request.shard), request.tokenHash));
}

function argsOf(limits: readonly number[], batch: readonly Waiting[]): (string | number)[] {
  const args: (string | number)[] = [...limits];
  for (const { request: { deviceId, locations, notifications, bytes, charges } } of batch) {
    args.push(deviceId ?? '', locations, notifications, bytes, charges ? 1 : 0);
  }
  return args;
}
