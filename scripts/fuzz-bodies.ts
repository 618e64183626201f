import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BODY_OPERATIONS, openBodyEdge } from '../test/support/every-body/edge.ts';
import { fuzzBodies, type FuzzFinding } from '../test/support/every-body/fuzz.ts';
import { faultOf } from '../test/support/every-body/judge.ts';
import { keptOf } from '../test/support/every-body/kept.ts';
import { bodyWith, stringPlaces } from '../test/support/every-body/places.ts';
import { naughtyTexts } from '../test/support/naughty-strings/read-strings.ts';

const USAGE = `Sends changed bodies to every operation that takes one. None may be answered with a 5xx,
and of an accepted one every name, text and number must be in the log as it was written.

  npm run fuzz:bodies -- [options]

  --count N    how many bodies (default 20000)
  --seed N     another seed, other bodies (default 1)
  --from N     number of the first body (default 0)
  --resume     go on where the last run with this seed ended or was ended
  --lanes N    calls at once (default 4)
  --naughty    instead: every naughty string in every string field of every body, once
  --help       this text

Needs nothing but this process: a real HTTP server over parts in memory. Exit code 0 without a
finding, 1 with one, 2 for wrong options. A finding is repeated by --seed S --from NUMBER --count 1.
`;
const STATE_DIR = join('.rastro', 'fuzz-bodies');
const SHOWN_MAX = 400;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      lanes: { type: 'string', default: '4' },
      resume: { type: 'boolean', default: false },
      naughty: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.naughty) return naughty();
  const numbers = [values.count, values.seed, values.from, values.lanes].map(Number);
  if (numbers.some((number) => !Number.isSafeInteger(number) || number < 0)) {
    process.stderr.write('Numbers must be whole and not below 0; see --help.\n');
    return 2;
  }
  const [count = 0, seed = 0, first = 0, lanes = 1] = numbers;
  return mutants(seed, values.resume ? keptEnd(seed) ?? first : first, first + count, lanes);
}

async function mutants(seed: number, from: number, to: number, lanes: number): Promise<number> {
  const beganMs = Date.now();
  print(`seed=${seed} from=${from} to=${to}\n`);
  let shownMs = beganMs;
  const { counts, findings } = await fuzzBodies({
    seed, from, to, lanes: Math.max(1, lanes),
    onProgress: (done, { sent, accepted }) => {
      keepEnd(seed, done);
      if (Date.now() - shownMs < 10_000) return;
      shownMs = Date.now();
      print(`up to ${done}: sent=${sent} accepted=${accepted}\n`);
    },
  });
  findings.forEach(show);
  const seconds = Math.round((Date.now() - beganMs) / 1000);
  print(`seed=${seed} sent=${counts.sent} accepted=${counts.accepted} refused=${counts.refused} `
    + `findings=${findings.length} seconds=${seconds}\n`);
  return findings.length === 0 ? 0 : 1;
}

async function naughty(): Promise<number> {
  let sent = 0;
  let accepted = 0;
  let findings = 0;
  for (const id of BODY_OPERATIONS) {
    for (const place of stringPlaces(id)) {
      const edge = await openBodyEdge();
      for (const [number, text] of naughtyTexts().entries()) {
        const body = bodyWith(id, place, text);
        const outcome = await edge.send(id, body);
        sent += 1;
        if (outcome.status < 300) accepted += 1;
        const fault = faultOf(outcome, () => keptOf(id, body));
        if (fault === undefined) continue;
        findings += 1;
        show({ number, id: `${id} ${place.join('/')}`, fault, body });
      }
      await edge.close();
    }
    print(`${id}: sent=${sent} accepted=${accepted} findings=${findings}\n`);
  }
  return findings === 0 ? 0 : 1;
}

function keepEnd(seed: number, done: number): void {
  const path = join(STATE_DIR, `${seed}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ seed, done }));
}

function keptEnd(seed: number): number | undefined {
  const path = join(STATE_DIR, `${seed}.json`);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { done: number }).done;
}

function show({ number, id, fault, body }: FuzzFinding): void {
  print(`FINDING ${number} ${id}: ${fault}\n  ${body.slice(0, SHOWN_MAX)}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

if (import.meta.main) process.exitCode = await main();
