import type {
  AcceptedCalls, ClientCalls, LimitsResource, ProviderScoresResource,
} from '../../../../schemas/generated/types.ts';
import { stepsOf } from './checklist.ts';
import { el } from './elements.ts';
import { table } from './parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const LIMITS = ['requests', 'locations', 'notifications', 'bytes'] as const;
/** The code of refusals that were too various to be kept apart; no page is about it. */
const OTHERS = 'others';

/** The steps of an integration, each with when it was done. */
export function checklistView(calls: ClientCalls): readonly HTMLElement[] {
  const steps = stepsOf(calls);
  const done = steps.filter(({ firstAt }) => firstAt !== undefined).length;
  return [
    el('p', { class: 'total', role: 'status' }, TEXTS.stepsDone(done, steps.length)),
    el('ol', { class: 'checklist' }, ...steps.map(({ name, firstAt }) => (
      el('li', { class: firstAt === undefined ? undefined : 'done' }, TEXTS.steps[name], ' ',
        el('small', {}, firstAt === undefined ? TEXTS.toDo : TEXTS.doneAt(timeOf(firstAt)))))),
    ),
  ];
}

/** Refused calls, the newest kinds first. */
export function refusedView({ refused }: ClientCalls): readonly HTMLElement[] {
  if (refused.length === 0) return [el('p', {}, TEXTS.noneRefused)];
  const heads = [
    TEXTS.lastAt, TEXTS.calls, TEXTS.operation, TEXTS.status, TEXTS.code, TEXTS.where,
  ];
  return [table(TEXTS.refusedCalls, heads, refused.map((each) => [
    timeOf(each.last_at), each.calls.toLocaleString('en'), each.operation,
    each.status === 0 ? '' : String(each.status),
    each.code === OTHERS
      ? each.code : el('a', { href: `/problems/${encodeURIComponent(each.code)}` }, each.code),
    each.pointers.join(' '),
  ]))];
}

/** Accepted calls; the chosen one is shown below them by `onChoose`. */
export function acceptedView(
  { calls }: AcceptedCalls, onChoose: (ingestId: string) => HTMLElement,
): readonly HTMLElement[] {
  if (calls.length === 0) return [el('p', {}, TEXTS.noneAccepted)];
  const chosen = el('div', { 'aria-live': 'polite' });
  const heads = [TEXTS.time, TEXTS.kind, TEXTS.items, TEXTS.outcome];
  return [
    table(TEXTS.accepted, heads, calls.map(({ ingest_id: id, received_at, kind, items }) => [
      timeOf(received_at), kind.replaceAll('_', ' '), items.toLocaleString('en'),
      el('button', { type: 'button', onclick: () => { chosen.replaceChildren(onChoose(id)); } }, id),
    ])),
    chosen,
  ];
}

/** What a client may use, and how much of it is used. */
export function limitsView(limits: LimitsResource): readonly HTMLElement[] {
  const heads = [TEXTS.limit, TEXTS.perSecond, TEXTS.atOnce, TEXTS.used, TEXTS.ownLimit];
  const { tenant_bytes_per_day: ofDay, tenant_bytes_remaining: left } = limits;
  return [
    table(TEXTS.limits, heads, [
      ...LIMITS.map((name) => {
        const { per_second, burst, remaining, own } = limits[name];
        return [
          TEXTS.limitNames[name], per_second.toLocaleString('en'), burst.toLocaleString('en'),
          usedView(TEXTS.limitNames[name], burst - remaining, burst),
          own ? TEXTS.ofClient : TEXTS.ofAll,
        ];
      }),
      [TEXTS.bytesOfDay, '', ofDay.toLocaleString('en'),
        usedView(TEXTS.bytesOfDay, ofDay - left, ofDay), ''],
    ]),
    ...limits.overflowing_providers.map(({ provider, ends_at }) => (
      el('p', {}, TEXTS.overflows(provider, ends_at === undefined ? undefined : timeOf(ends_at))))),
  ];
}

/** How good what each provider sent is: a column for each, as there are one or few. */
export function scoresView(
  { since, until, providers }: ProviderScoresResource,
): readonly HTMLElement[] {
  if (since === undefined || until === undefined) return [el('p', {}, TEXTS.noScores)];
  const names = Object.keys(TEXTS.scoreNames) as (keyof typeof TEXTS.scoreNames)[];
  return [
    el('p', {}, TEXTS.scoresOf(since.slice(0, 10), until.slice(0, 10))),
    ...providers.length === 0 ? [el('p', {}, TEXTS.noFixesScored)] : [table(
      TEXTS.scores, [TEXTS.scores, ...providers.map(({ provider }) => provider)],
      names.map((name) => [
        TEXTS.scoreNames[name], ...providers.map((score) => score[name].toLocaleString('en')),
      ]),
    )],
  ];
}

function usedView(label: string, used: number, all: number): HTMLElement {
  return el('span', {},
    el('meter', { 'min': 0, 'max': all, 'value': used, 'aria-label': label }), ' ',
    used.toLocaleString('en'));
}

function timeOf(text: string): string {
  return timeText(Date.parse(text));
}
