import type { LooseFields, SeenView } from '../../faults/checker/evidence.ts';
import { TOPIC } from '../../faults/checker/topics.ts';
import { append, aView, type Draft } from '../fault-draft.ts';
import { facts, fixesCame, LAST_ROW, reset } from '../fault-viewers.ts';
import { changeRecord, removeFrom, type BadHistory } from './spoil.ts';

/** Changes the last thing that a viewer of the good run got. */
function changeLast(run: Draft, viewer: string, change: Partial<SeenView>): void {
  const at = run.views.findLastIndex((view) => view.viewer === viewer);
  const found = run.views[at];
  if (found === undefined) throw new Error('no view in the run');
  run.views[at] = { ...found, ...change };
}

/** Changes the row that came to the map last. */
function changeRow(run: Draft, at: number, value: unknown): void {
  changeLast(run, 'map', fixesCame([[...LAST_ROW, 'globex', '4'].with(at, value)]));
}

const isLastFact = (text: string): boolean => text.includes('Started') && text.includes('dev-9');

/** Changes the last fact of the log, but not what its viewer got. */
function changeLastFact(run: Draft, change: LooseFields): void {
  const { value } = run.log.findLast((entry) => isLastFact(JSON.stringify(entry)))!;
  changeRecord(run, TOPIC.lifecycle, isLastFact, { value: { ...value, ...change } });
}

/** Lets the fault be healed when everything had come. */
function healAt(run: Draft, ms: number): void {
  run.run = { ...run.run, healed_ns: String(ms * 1_000_000) };
}

/** What viewers of the live feeds got otherwise than they must. */
export const LIVE_HISTORIES: readonly BadHistory[] = [
  {
    invariant: 'I20', kind: 'map-differs', story: 'a device is missing on a map',
    spoil: (run) => changeLast(run, 'map', fixesCame([])),
  },
  {
    invariant: 'I20', kind: 'map-differs', story: 'a device is elsewhere on a map',
    spoil: (run) => changeRow(run, 2, 7.5),
  },
  {
    invariant: 'I20', kind: 'map-differs', story: 'a stopped device stays on a map',
    spoil: (run) => { run.views.splice(2, 1); },
  },
  {
    invariant: 'I20', kind: 'map-differs', story: 'a map is cleared, and nothing follows',
    spoil: (run) => { run.views.push(reset('map', 800, 'too_far')); },
  },
  {
    invariant: 'I20', kind: 'stale-map', story: 'a map gets only late what was known at the heal',
    spoil: (run) => {
      healAt(run, 300);
      changeLast(run, 'map', { at: 10_400 });
    },
  },
  {
    invariant: 'I20', kind: 'stale-map', story: 'a map shows long after the heal what was stopped',
    spoil: (run) => {
      healAt(run, 300);
      run.views.push(aView('map', 10_500, fixesCame([], ['dev-1'])));
      run.views.splice(2, 1);
    },
  },
  {
    invariant: 'I20', kind: 'stale-map', story: 'a viewer gets nothing at all',
    spoil: (run) => { run.views.splice(0, 6); },
  },
  {
    invariant: 'I20', kind: 'wrong-owner', story: 'a device of another is on a map',
    spoil: (run) => {
      const live = run.run.live!;
      const [{ owner } = { owner: null }] = live.viewers.filter(({ feed }) => feed === 'facts');
      const viewers = live.viewers.map((viewer) => ({ ...viewer, owner }));
      run.run = { ...run.run, live: { ...live, viewers } };
    },
  },
  {
    invariant: 'I20', kind: 'altered', story: 'a new device comes without its provider',
    spoil: (run) => changeLast(run, 'map', fixesCame([LAST_ROW])),
  },
  {
    invariant: 'I20', kind: 'lost', story: 'a fact is missing behind a line that was cut',
    spoil: (run) => { run.views.pop(); },
  },
  {
    invariant: 'I20', kind: 'lost', story: 'a fact is missing between two others',
    spoil: (run) => {
      const started = run.log.findLast(({ topic }) => topic === TOPIC.lifecycle)!;
      append(run, TOPIC.lifecycle, 'dev-9', started.value!, { partition: 1 });
      changeLast(run, 'facts', { data: { facts: [{
        kind: 'device', record_id: 'AbC:1:2', fact: started.value,
      }] } });
    },
  },
  {
    invariant: 'I20', kind: 'lost', story: 'a viewer gets no fact of all that came since it called',
    spoil: (run) => {
      run.views.splice(8, 4);
      const views = run.views.map((view) => ({ ...view, at: view.at - 1_000 }));
      run.views.splice(0, run.views.length, ...views);
    },
  },
  {
    invariant: 'I20', kind: 'lost', story: 'a viewer of facts gets nothing at all',
    spoil: (run) => { run.views.splice(6, 6); },
  },
  {
    invariant: 'I20', kind: 'duplicate', story: 'a fact comes again behind a line that was cut',
    spoil: (run) => changeLast(run, 'facts', facts(0, 1)),
  },
  {
    invariant: 'I20', kind: 'order-violation', story: 'a fact overtakes the one before it',
    spoil: (run) => {
      run.views.splice(8, 1);
      changeLast(run, 'facts', facts(1, 0));
    },
  },
  {
    invariant: 'I20', kind: 'phantom', story: 'a fact is in no log',
    spoil: (run) => removeFrom(run, TOPIC.lifecycle, isLastFact),
  },
  {
    invariant: 'I20', kind: 'wrong-owner', story: 'a fact of another comes to a provider',
    spoil: (run) => changeLastFact(run, { client_id: '9' }),
  },
  {
    invariant: 'I20', kind: 'altered', story: 'a fact says something else than the log',
    spoil: (run) => changeLastFact(run, { at_ms: 3 }),
  },
  {
    invariant: 'I20', kind: 'undue-reset', story: 'a feed of facts begins again without a reason',
    spoil: (run) => {
      run.views.push(reset('facts', 5_000, 'too_far'));
    },
  },
  {
    invariant: 'I20', kind: 'undue-reset', story: 'an id of the feed cannot be read by it',
    spoil: (run) => {
      run.views.splice(4, 0, reset('map', 699, 'unreadable'));
    },
  },
  {
    invariant: 'I20', kind: 'undue-reset', story: 'a copy is ahead of all others without a fault',
    spoil: (run) => {
      run.views.push(reset('facts', 40_000, 'ahead'));
    },
  },
  {
    invariant: 'I20', kind: 'forbidden-code', story: 'a viewer is refused amid an outage',
    spoil: (run) => { run.views.push(aView('map', 800, { event: 'answer', status: 403 })); },
  },
];
