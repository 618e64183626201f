import { setTimeout as delay } from 'node:timers/promises';
import { openShooter, type Shooter } from '../load/open-shooter.ts';
import type { Order, LoadSender, LoadTally } from '../load/order.ts';
import { wrongAnswers } from '../load/wrong-answers.ts';
import { cpuUs } from '../measure/cpu.ts';
import { median, quantile } from '../measure/statistics.ts';
import type { BenchSubject } from '../subject.ts';

/** How a row is measured. */
export interface EdgePlan {
  readonly locations: number;
  readonly lines: number;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly roundMs: number;
  /** Gives each order seconds of its own. */
  readonly nextSecond: () => number;
}

/** One subject at one size of post and number of lines. */
export interface EdgeRow {
  readonly subject: string;
  readonly locations: number;
  readonly lines: number;
  /** CPU of the subject's processes per accepted post, the median and all rounds. */
  readonly postUs: number;
  readonly roundsUs: readonly number[];
  readonly postsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** What was wrong; empty when every post was accepted and is in the log once. */
  readonly wrong: readonly string[];
}

/** Measures subjects by turns, so that a busy neighbour troubles all of them alike. */
export async function measureEdge(
  subjects: readonly BenchSubject[], senders: readonly LoadSender[], plan: EdgePlan,
): Promise<readonly EdgeRow[]> {
  const shooter = openShooter();
  const seen = new Map<BenchSubject, Round[]>(subjects.map((subject) => [subject, []]));
  try {
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const subject of subjects) {
        seen.get(subject)?.push(await measureRound(shooter, subject, senders, plan));
      }
    }
  } finally {
    await shooter.close();
  }
  return subjects.map((subject) => rowOf(subject, plan, seen.get(subject) ?? []));
}

interface Round {
  readonly posts: number;
  readonly cpuUs: number;
  readonly ms: number;
  readonly waits: LoadTally['waits'];
  readonly wrong: readonly string[];
}

async function measureRound(
  shooter: Shooter, subject: BenchSubject, senders: readonly LoadSender[], plan: EdgePlan,
): Promise<Round> {
  const { host, port, path } = subject;
  const before = await subject.logged?.() ?? 0n;
  const order: Order = {
    host, port, path, senders, locations: plan.locations, lines: plan.lines, postsPerSecond: 0,
    firstSecond: plan.nextSecond(),
  };
  shooter.fire(order);
  await delay(plan.warmUpMs);
  const first = await shooter.tally();
  const [cpuBefore, beganMs] = [cpuUs(subject.pids()), performance.now()];
  await delay(plan.roundMs);
  const second = await shooter.tally();
  const [cpuAfter, endedMs] = [cpuUs(subject.pids()), performance.now()];
  const last = await shooter.cease();
  const logged = subject.logged === undefined ? undefined : await subject.logged() - before;
  return {
    posts: second.accepted - first.accepted,
    cpuUs: cpuAfter - cpuBefore,
    ms: endedMs - beganMs,
    waits: second.waits,
    wrong: wrongIn(last, logged),
  };
}

/** Every post answered 202, no line broken, and as many records in the log as were accepted. */
function wrongIn(tally: LoadTally, logged: bigint | undefined): string[] {
  return [
    ...wrongAnswers(tally),
    ...(logged !== undefined && logged !== BigInt(tally.accepted)
      ? [`${tally.accepted} accepted, but ${logged} in the log`] : []),
  ];
}

function rowOf(subject: BenchSubject, plan: EdgePlan, rounds: readonly Round[]): EdgeRow {
  const roundsUs = rounds.map(({ cpuUs: us, posts }) => us / posts);
  const waits = rounds.flatMap((round) => round.waits);
  return {
    subject: subject.name, locations: plan.locations, lines: plan.lines,
    postUs: median(roundsUs), roundsUs,
    postsPerSecond: median(rounds.map(({ posts, ms }) => posts / ms * 1_000)),
    p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99),
    wrong: rounds.flatMap(({ wrong }) => wrong),
  };
}
