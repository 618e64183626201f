import type { BenchReport } from './measured.ts';
import type { EdgeRow } from './rows/edge.ts';
import { HALF } from './rows/freshness.ts';

/** One aim of the project beside what this run reached. */
interface Target {
  readonly what: string;
  readonly unit: string;
  readonly aim: number;
  readonly isAtLeast?: true;
  readonly reached: number | undefined;
}

const OURS = 'rastro';
const LINES = 512;
/** A body that is never unpacked costs no more than none. */
const STRANGER_AIM = 1.5;
/**
 * What comes over the wire is read and thrown away, so that a client whose token has ended gets its
 * answer and no broken line.
 */
const STRANGER_AIM_ON_THE_WIRE = 4;
const SMALL_BYTES = 65_536;

/** The table of aims: what is not in this run has no line. */
export function targetLines(report: BenchReport): readonly string[] {
  const known = targetsOf(report).filter(({ reached }) => reached !== undefined);
  if (known.length === 0) return [];
  return [
    '## Aims', '', '| what | aim | reached | met |', '|---|---|---|---|',
    ...known.map(({ what, unit, aim, isAtLeast, reached = Number.NaN }) => {
      const isMet = isAtLeast === true ? reached >= aim : reached <= aim;
      const sign = isAtLeast === true ? '≥' : '≤';
      return `| ${what} | ${sign} ${aim} ${unit} | ${reached.toFixed(2)} | ${isMet ? 'yes' : 'no'} |`;
    }), '',
  ];
}

function targetsOf(report: BenchReport): readonly Target[] {
  const {
    edge, chainOnMoreLines, freshness, catchUp, known, disk, late, analysts, overload, strangers,
    sustained,
  } = report;
  const wideChain = chainOnMoreLines?.find(({ lines }) => lines === LINES);
  const atHalf = freshness?.find(({ loadFraction }) => loadFraction === HALF);
  const at = (locations: number): string => `edge, ${LINES} connections, posts of ${locations}`;
  const ratio = (subject: string, other: string, locations: number): number | undefined => {
    const [one, two] = [postUs(edge, subject, locations), postUs(edge, other, locations)];
    return one === undefined || two === undefined ? undefined : one / two;
  };
  const ofFifty = postUs(edge, OURS, 50);
  const peers = [...new Set(edge.map(({ subject }) => subject))]
    .filter((name) => !name.startsWith(OURS) && !['floor', 'nginx'].includes(name));
  return [
    { what: at(10), unit: 'times the floor', aim: 3, reached: ratio(OURS, 'floor', 10) },
    { what: at(1), unit: 'times the floor', aim: 2, reached: ratio(OURS, 'floor', 1) },
    {
      what: at(50), unit: 'µs a location', aim: 3.2,
      reached: ofFifty === undefined ? undefined : ofFifty / 50,
    },
    {
      what: `live feeds without viewers, ${at(10)}`, unit: 'times ours without', aim: 1.02,
      reached: ratio('rastro:live', OURS, 10),
    },
    ...peers.map((name): Target => ({
      what: `${name} beside us, ${at(10)}`, unit: 'times ours', isAtLeast: true,
      aim: name === 'camel+schema' ? 3 : 1, reached: ratio(name, OURS, 10),
    })),
    {
      what: `whole chain, ${LINES} connections, without the broker`, unit: 'µs a location', aim: 16,
      reached: wideChain?.oursUs,
    },
    {
      what: 'freshness in Redis at half load, p99', unit: 'ms', aim: 100,
      reached: atHalf?.redisP99Ms,
    },
    {
      what: 'freshness in ClickHouse at half load, p99', unit: 'ms', aim: 1_500,
      reached: atHalf?.clickhouseP99Ms,
    },
    {
      what: 'catching up', unit: 'times live', aim: 3, isAtLeast: true,
      reached: catchUp?.timesLive,
    },
    {
      what: `cost at ${known?.at(-1)?.known ?? 0} known devices`, aim: 1.15,
      unit: `times that at ${known?.[0]?.known ?? 0}`,
      reached: known === undefined || known.length < 2
        ? undefined : (known.at(-1)?.oursUs ?? 0) / (known[0]?.oursUs ?? 0),
    },
    {
      what: 'accepted under five times the peak', unit: 'of the peak', aim: 0.9, isAtLeast: true,
      reached: overload?.acceptedFraction,
    },
    {
      what: `sustained for ${sustained?.polls.at(-1)?.atSecond ?? 0} s with `
        + `${sustained?.known ?? 0} devices known`, unit: 'locations a second',
      aim: 50_000, isAtLeast: true, reached: sustained?.locationsPerSecond,
    },
    ...(late ?? []).flatMap(({ locations, freshMs, lateMs, lateParts }): Target[] => [
      {
        what: `insert of ${locations} fixes over 399 days`, unit: 'times one of as many fresh ones',
        aim: 3, reached: lateMs / freshMs,
      },
      { what: 'its parts', unit: 'parts', aim: 12, reached: lateParts },
    ]),
    ...(analysts ?? []).slice(0, 1).map(({ besideMs, aloneMs }): Target => ({
      what: 'insert beside the worst query of an analyst', unit: 'times one alone', aim: 1.1,
      reached: besideMs / aloneMs,
    })),
    ...(strangers ?? []).slice(1).map(({ body, bytes, callUs }): Target => ({
      what: `call of a stranger with ${body}`, unit: 'times one without',
      aim: bytes < SMALL_BYTES ? STRANGER_AIM : STRANGER_AIM_ON_THE_WIRE,
      reached: callUs / (strangers?.[0]?.callUs ?? Number.NaN),
    })),
    {
      what: 'disk, fixes of recorded tracks', unit: 'bytes a location', aim: 12,
      reached: disk?.recorded.locationBytes,
    },
  ];
}

function postUs(
  rows: readonly EdgeRow[], subject: string, locations: number,
): number | undefined {
  return rows.find((row) => (
    row.subject === subject && row.lines === LINES && row.locations === locations
  ))?.postUs;
}
