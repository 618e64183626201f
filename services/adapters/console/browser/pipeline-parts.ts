import type { PipelineResource } from '../../../../schemas/generated/types.ts';
import { el, svg } from './elements.ts';
import { liveTable } from './live-table.ts';
import { barsOf, BARS, kindsOf, minutesOf, OUTCOMES, sumsOf } from './pipeline.ts';
import { TEXTS } from './texts.ts';

/** A part of the page that is shown again with each answer. */
export interface ShownPart {
  readonly element: HTMLElement;
  show(pipeline: PipelineResource): void;
}

const { pipeline: TEXT } = TEXTS;
/** Marks a row in which something is wrong. */
const WRONG = 'wrong';

/** The parts of the page in their order. */
export function pipelineParts(): readonly ShownPart[] {
  return [alarmsPart(), itemsPart(), storesPart(), workersPart(), topicsPart()];
}

function alarmsPart(): ShownPart {
  const list = el('div', { 'aria-live': 'polite' });
  let shown: string | undefined;
  return {
    element: el('section', {}, el('h2', {}, TEXT.alarms), list, el('p', {}, TEXT.otherAlarms)),
    show({ alarms, unavailable }) {
      // Made again only where they changed, so that a link keeps its focus and is read out once.
      const now = JSON.stringify([alarms, unavailable.length]);
      if (now === shown) return;
      shown = now;
      const none = unavailable.length === 0 ? TEXT.noAlarms : TEXT.noAlarmsOfRest;
      list.replaceChildren(alarms.length === 0 ? el('p', {}, none) : el('ul', { class: 'alarms' },
        ...alarms.map(({ alarm, summary, runbook }) => el('li', {},
          `${summary} `, el('a', { href: `/${runbook.replace(/\.md$/, '')}` }, alarm)))));
    },
  };
}

function itemsPart(): ShownPart {
  const sum = el('p', { class: 'total' });
  const bars = svg('svg', {
    'viewBox': `0 0 ${BARS.minutes * BARS.step} ${BARS.height}`, 'preserveAspectRatio': 'none',
    'aria-hidden': 'true',
  });
  const legend = el('ul', { class: 'legend' }, ...OUTCOMES.map((name) => (
    el('li', {}, el('i', { class: name }), TEXT.outcomes[name]))));
  const outcomes = OUTCOMES.map((name) => TEXT.outcomes[name]);
  const kinds = liveTable(TEXT.gateways, [
    TEXT.kind, TEXT.callsLastMinute, TEXT.itemsLastMinute, TEXT.accepted, ...outcomes,
  ]);
  const minutes = liveTable(TEXT.byMinute, [TEXTS.time, TEXT.calls, TEXT.accepted, ...outcomes]);
  const inside = el('div', {}, sum, el('div', { class: 'bars' }, bars), legend, kinds.element,
    el('details', {}, el('summary', {}, TEXT.byMinute), minutes.element));
  const part = askedPart(TEXT.gateways, TEXT.gatewaysHow, 'minutes', inside);
  return {
    element: part.element,
    show(pipeline) {
      if (!part.isAnswered(pipeline)) return;
      const all = minutesOf(pipeline);
      const total = sumsOf(all);
      sum.textContent = TEXT.balance(total.accepted, OUTCOMES
        .filter((name) => total[name] !== 0).map((name) => [TEXT.outcomes[name], total[name]]));
      bars.replaceChildren(...barsOf(all).map(({ outcome, x, y, height }) => svg('rect', {
        x, y: y.toFixed(2), width: BARS.width, height: height.toFixed(2), class: outcome,
      })));
      kinds.show(kindsOf(pipeline).map(({ kind, last, all: sums }) => [
        kind, counted(last.calls), counted(last.accepted), counted(sums.accepted),
        ...OUTCOMES.map((name) => counted(sums[name])),
      ]));
      minutes.show(all.toReversed().map(({ minute, ...sums }) => [
        minute.slice(11, 16), counted(sums.calls), counted(sums.accepted),
        ...OUTCOMES.map((name) => counted(sums[name])),
      ]));
    },
  };
}

function storesPart(): ShownPart {
  const stores = liveTable(TEXT.stores, [
    TEXT.store, TEXTS.state, TEXT.behindSeconds, TEXT.perSecond,
  ]);
  return {
    element: el('section', {}, el('h2', {}, TEXT.stores), stores.element),
    show({ stores: own }) {
      stores.show(own.map(({ store, state, lag_seconds: seconds, records_per_second: rate }) => [
        TEXT.storeNames[store], TEXT.storeStates[state], orNone(seconds), orNone(rate),
      ]), (index) => (own[index]?.state === 'ready' ? undefined : WRONG));
    },
  };
}

function workersPart(): ShownPart {
  const workers = liveTable(TEXT.workers, [
    TEXT.worker, TEXT.members, TEXT.behindRecords, TEXT.behindSeconds, TEXT.perSecond,
    TEXT.behindIn,
  ]);
  const part = askedPart(TEXT.workers, TEXT.workersHow, 'workers', workers.element);
  return {
    element: part.element,
    show(pipeline) {
      if (!part.isAnswered(pipeline)) return;
      const own = pipeline.workers;
      workers.show(own.map((each) => [
        each.worker, counted(each.members), counted(each.lag_records), counted(each.lag_seconds),
        orNone(each.records_per_second),
        each.topics.filter(({ lag_records: records }) => records > 0)
          .map(({ topic }) => topic).join(', '),
      ]), (index) => (own[index]?.members === 0 ? WRONG : undefined));
    },
  };
}

function topicsPart(): ShownPart {
  const topics = liveTable(TEXT.topics, [
    TEXTS.topic, TEXT.perSecond, TEXT.lastMinute, TEXT.last15Minutes, TEXT.appended,
    TEXT.partitions,
  ]);
  const part = askedPart(TEXT.topics, TEXT.topicsHow, 'topics', topics.element);
  return {
    element: part.element,
    show(pipeline) {
      if (!part.isAnswered(pipeline)) return;
      topics.show(pipeline.topics.map((each) => [
        each.topic, (each.records_last_minute / 60).toFixed(1), counted(each.records_last_minute),
        counted(each.records_last_15_minutes), counted(each.records_appended),
        counted(each.partitions),
      ]));
    },
  };
}

/** A part that may be away while the others are there. */
function askedPart(
  title: string, how: string, name: PipelineResource['unavailable'][number]['part'],
  inside: HTMLElement,
): { readonly element: HTMLElement; isAnswered(pipeline: PipelineResource): boolean } {
  const away = el('p', { hidden: true });
  return {
    element: el('section', {}, el('h2', {}, title), el('p', {}, how), away, inside),
    isAnswered({ unavailable }) {
      const gap = unavailable.find(({ part }) => part === name);
      away.hidden = gap === undefined;
      inside.hidden = gap !== undefined;
      away.textContent = gap === undefined ? '' : TEXT.away(gap.code);
      return gap === undefined;
    },
  };
}

function counted(value: number): string {
  return value.toLocaleString('en');
}

function orNone(value: number | null): string {
  return value === null ? '–' : counted(value);
}
