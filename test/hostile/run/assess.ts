import type { Answered } from '../offender.ts';
import type { AnalystFigures } from './honest-analyst.ts';
import type { ViewerFigures } from './honest-viewer.ts';
import type { WebhookFigures } from './honest-webhook.ts';
import type { Answers } from './offence.ts';

/** What honest callers saw in a span of time. */
export interface CallFigures {
  readonly calls: number;
  /** Tries that got 429, 5xx or no answer. */
  readonly unanswered: number;
  readonly p99Ms: number;
}

/** One process in a span of time. */
export interface ProcessFigures {
  readonly name: string;
  /** How often it ended. */
  readonly endings: number;
  readonly rssMiBMax: number;
}

/** All that is assessed of one offender. */
export interface Observed {
  /** Calm spans before and after it; at a second time those of the first are there too. */
  readonly calm: readonly CallFigures[];
  readonly during: CallFigures;
  readonly processes: readonly ProcessFigures[];
  readonly analyst: AnalystFigures;
  readonly viewer: ViewerFigures;
  readonly webhook: WebhookFigures;
  /** The most that the product took of one answer of its party. */
  readonly answerMiBTaken: number;
  /** The offender is an analyst too: the honest one, and the viewer, may have to ask again. */
  readonly isAnalyst: boolean;
  readonly answers: Answers;
  /** The offender's calls know no 429: above a limit they are 500. */
  readonly hasOnly500: boolean;
  /** What the offender must be answered, where a protection shows in that. */
  readonly mustGet?: Answered;
}

/** A machine of two cores that carries everything gives no better figure below this. */
export const P99_MS_FREE = 300;
/** A process of the product may hold so much while someone misbehaves. */
export const RSS_MIB_MAX = 832;
/** What calls parties and webhooks holds no bodies of callers, and reads 64 KiB of an answer. */
export const RSS_MIB_MAX_OF_PARTIES = 512;
/** Of an answer without an end 64 KiB are read; what the kernel holds between is megabytes. */
export const ANSWER_MIB_MAX = 16;
/** A fix of an honest provider is in the tables by then. */
export const STALE_MS_MAX = 30_000;
/** Devices move all the time, so an honest viewer gets an update by then. */
export const SILENT_MS_MAX = 5_000;
/** A fact of an honest provider is posted by then. */
export const WEBHOOK_MS_MAX = 8_000;
const P99_RATIO_MAX = 2;
const UNANSWERED_SHARE_MAX = 0.01;
const CALLS_MIN = 50;

/**
 * What calm is: the slower of the spans before and after. At a further time it is the median of
 * all, so that one span which something else disturbed excuses nothing.
 */
export function calmP99Ms(calm: readonly CallFigures[]): number {
  const ms = calm.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  if (ms.length <= 2) return ms.at(-1) ?? 0;
  const middle = ms.length / 2;
  return ((ms[Math.ceil(middle) - 1] ?? 0) + (ms[Math.floor(middle)] ?? 0)) / 2;
}

/** The honest p99 that is allowed beside these calm spans. */
export function allowedP99Ms(calm: readonly CallFigures[]): number {
  return Math.max(P99_RATIO_MAX * calmP99Ms(calm), P99_MS_FREE);
}

/**
 * Whether nothing but the time of honest calls is wrong. On a machine with other work that may be
 * chance, and an offender that does harm does it again.
 */
export function mayBeChance(observed: Observed): boolean {
  const inTime = { ...observed, during: { ...observed.during, p99Ms: 0 } };
  return assess(observed).length > 0 && assess(inTime).length === 0;
}

function rssCeilingOf(process: string): number {
  return ['parties', 'webhooks'].includes(process) ? RSS_MIB_MAX_OF_PARTIES : RSS_MIB_MAX;
}

/** What is wrong, in sentences; none when the offender did no harm. */
export function assess(observed: Observed): readonly string[] {
  const { calm, during, processes, analyst, viewer, webhook, answers, mustGet } = observed;
  const { isAnalyst, hasOnly500, answerMiBTaken } = observed;
  const failures = Object.entries(answers).filter(([answer]) => /^5\d\d$/.test(answer));
  const got = mustGet === undefined ? 0 : answers[mustGet.answer] ?? 0;
  const calls = Object.values(answers).reduce((sum, times) => sum + times, 0);
  const allowedMs = allowedP99Ms(calm);
  return [
    ...(during.calls < CALLS_MIN
      ? [`Only ${during.calls} honest calls were answered, which shows nothing.`] : []),
    ...(Object.keys(answers).length === 0 ? ['The offender did nothing.'] : []),
    ...(during.p99Ms > allowedMs
      ? [`The honest p99 was ${during.p99Ms} ms; allowed are ${allowedMs}.`] : []),
    ...(during.unanswered > during.calls * UNANSWERED_SHARE_MAX
      ? [`${during.unanswered} honest tries had no answer, 429 or 5xx.`] : []),
    ...processes.flatMap(({ name, endings }) => (
      endings === 0 ? [] : [`${name} ended ${endings} times.`]
    )),
    ...processes.flatMap(({ name, rssMiBMax }) => (
      rssMiBMax <= rssCeilingOf(name) ? [] : [`${name} grew to ${rssMiBMax} MiB.`]
    )),
    ...(answerMiBTaken > ANSWER_MIB_MAX
      ? [`${answerMiBTaken} MiB were taken of one answer of the party.`] : []),
    ...(analyst.failedQueries > 0 && !isAnalyst
      ? [`${analyst.failedQueries} queries of the honest analyst failed.`] : []),
    ...(analyst.staleMsMax > STALE_MS_MAX
      ? [`Honest fixes were ${analyst.staleMsMax} ms away from the tables.`] : []),
    ...(viewer.silentMsMax > SILENT_MS_MAX
      ? [`The honest viewer saw nothing for ${viewer.silentMsMax} ms.`] : []),
    ...(viewer.failedPictures > 0 && !isAnalyst
      ? [`${viewer.failedPictures} pictures of the honest viewer failed.`] : []),
    ...(webhook.waitedMsMax > WEBHOOK_MS_MAX
      ? [`A fact waited ${webhook.waitedMsMax} ms for the honest webhook.`] : []),
    ...(webhook.wrong > 0
      ? [`${webhook.wrong} posts to the honest webhook were wrong.`] : []),
    ...(failures.length > 0 && !hasOnly500 && !isAnalyst
      ? [`The offender was answered ${failures.map(([answer]) => answer).join(', ')}.`] : []),
    ...(mustGet !== undefined && got < mustGet.times && calls >= (mustGet.ofCalls ?? 0)
      ? [`The offender was answered ${mustGet.answer} ${got} times; the protection gives ${
        mustGet.times} at least.`] : []),
  ];
}
