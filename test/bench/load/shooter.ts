/**
 * A process of its own that posts for the bench: gets its orders by messages and counts every
 * answer.
 */
import { bodiesOf } from '../scan-cost/bodies.ts';
import { openLine, type LoadLine } from './line.ts';
import type { FromShooter, Order, LoadSender, LoadTally, ToShooter } from './order.ts';
import { makePost } from './post.ts';

const ACCEPTED = 202;
/** No line posts so many seconds of a device in a run; eight lines of one stay in an order's. */
const SECONDS_PER_LINE = 100_000;
const PACE_MS = 2;

let lines: LoadLine[] = [];
let accepted = 0;
let others: Record<string, number> = {};
let brokenLines = 0;
let waits = new Map<number, number>();
let isCeasing = false;

process.on('message', (word: ToShooter) => {
  if (word.say === 'fire') fire(word.order);
  else if (word.say === 'tally') report('tally');
  else cease();
});

// When the bench ends, its shooters end, too.
process.on('disconnect', () => { process.exit(); });

function fire(order: Order): void {
  isCeasing = false;
  accepted = 0;
  others = {};
  brokenLines = 0;
  waits = new Map();
  const bodies = bodiesOf(order.locations);
  lines = Array.from({ length: order.lines }, (_, at) => {
    const place = Math.floor(at / order.senders.length);
    const post = makePost(order, bodies, ownSenders(order, at), place, SECONDS_PER_LINE);
    const line: LoadLine = openLine(order, post, {
      onAnswer(status, sentMs) {
        count(status, sentMs);
        if (isCeasing) endWhenStill();
        else if (order.postsPerSecond === 0) line.post(performance.now());
      },
      onBroken() {
        brokenLines += 1;
        if (isCeasing) endWhenStill();
      },
    });
    return line;
  });
  if (order.postsPerSecond === 0) for (const line of lines) line.post(performance.now());
  else keepPace(order.postsPerSecond);
}

/** What no other line posts for, where there are enough; else the one that is shared. */
function ownSenders({ senders, lines: count }: Order, line: number): readonly LoadSender[] {
  return senders.length > count
    ? senders.filter((_, at) => at % count === line)
    : senders.slice(line % senders.length, line % senders.length + 1);
}

/** Posts by the clock; what no line is free for waits, and its wait counts from when it was due. */
function keepPace(postsPerSecond: number): void {
  const begunMs = performance.now();
  let posted = 0;
  let next = 0;
  const timer = setInterval(() => {
    if (isCeasing) return clearInterval(timer);
    const due = Math.floor((performance.now() - begunMs) / 1_000 * postsPerSecond);
    for (let misses = 0; posted < due && misses < lines.length; next += 1) {
      const dueMs = begunMs + posted / postsPerSecond * 1_000;
      if (lines[next % lines.length]?.post(dueMs) === true) posted += 1;
      else misses += 1;
    }
  }, PACE_MS);
}

function count(status: number, sentMs: number): void {
  if (status !== ACCEPTED) {
    others[status] = (others[status] ?? 0) + 1;
    return;
  }
  accepted += 1;
  const waitMs = Math.round((performance.now() - sentMs) * 10) / 10;
  waits.set(waitMs, (waits.get(waitMs) ?? 0) + 1);
}

function cease(): void {
  isCeasing = true;
  endWhenStill();
}

function endWhenStill(): void {
  if (lines.length === 0 || lines.some((line) => line.isBusy())) return;
  for (const line of lines) line.end();
  lines = [];
  report('ceased');
}

function report(say: FromShooter['say']): void {
  const tally: LoadTally = { accepted, others, brokenLines, waits: [...waits] };
  waits = new Map();
  process.send?.({ say, tally } satisfies FromShooter);
}
