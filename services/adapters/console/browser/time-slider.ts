import { el } from './elements.ts';
import { TEXTS } from './texts.ts';

/** What the slider reports. */
export interface SliderPorts {
  /** Show the fleet of this time, ms since epoch. */
  readonly onMoment: (atMs: number) => void;
  readonly onLive: () => void;
}

/** The slider as an element, and how it is moved on. */
export interface TimeSlider {
  readonly element: HTMLElement;
  /** The time that it is at; undefined while the fleet is live. */
  atMs(): number | undefined;
  /** Moves on while it plays or is live, after so many milliseconds of the person's time. */
  tick(elapsedMs: number): void;
}

const SPEEDS = [1, 10, 60, 600, 3_600];
const USUAL_SPEED = 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PAST_DAYS_MAX = 400;
const DAY_MINUTES = 1_440;

/** Makes the slider: a day, a minute of it, play and the speed. All of it in UTC. */
export function createTimeSlider(ports: SliderPorts): TimeSlider {
  let atMs: number | undefined;
  let plays = false;
  let shownMinute = 0;
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const day = el('input', {
    'type': 'date', 'aria-label': TEXTS.day, 'onchange': () => { moveTo(chosenMs()); },
  });
  const minute = el('input', {
    'type': 'range', 'min': 0, 'max': DAY_MINUTES - 1, 'step': 1, 'aria-label': TEXTS.minute,
    'oninput': () => { moveTo(chosenMs()); },
  });
  const shown = el('output', { 'aria-live': 'off' });
  const play = el('button', { type: 'button', onclick: () => { setPlays(!plays); } }, TEXTS.play);
  const speed = el('select', { 'aria-label': TEXTS.speed }, ...SPEEDS.map((each) => (
    el('option', { value: each, selected: each === USUAL_SPEED }, `×${each.toLocaleString('en')}`)
  )));
  const live = el('button', { type: 'button', onclick: goLive }, TEXTS.backToLive);

  function chosenMs(): number {
    const dayMs = Date.parse(`${day.value}T00:00:00Z`);
    return (Number.isNaN(dayMs) ? Date.now() - DAY_MS : dayMs) + Number(minute.value) * MINUTE_MS;
  }

  function setPlays(next: boolean): void {
    plays = next;
    play.textContent = plays ? TEXTS.pause : TEXTS.play;
    if (plays && atMs === undefined) moveTo(Date.now() - DAY_MS);
  }

  function goLive(): void {
    setPlays(false);
    atMs = undefined;
    show();
    ports.onLive();
  }

  function moveTo(ms: number): void {
    atMs = Math.min(Math.max(ms, Date.now() - PAST_DAYS_MAX * DAY_MS + MINUTE_MS), Date.now());
    if (plays && atMs < ms) setPlays(false);
    show();
    ports.onMoment(atMs);
  }

  function show(): void {
    const ms = atMs ?? Date.now();
    day.min = dayOf(Date.now() - PAST_DAYS_MAX * DAY_MS);
    day.max = dayOf(Date.now());
    day.value = dayOf(ms);
    shownMinute = minuteOf(ms);
    minute.value = String(Math.floor((ms % DAY_MS) / MINUTE_MS));
    shown.textContent = atMs === undefined ? TEXTS.live : TEXTS.at(textOf(atMs));
    minute.setAttribute('aria-valuetext', textOf(ms));
    live.disabled = atMs === undefined;
  }

  show();
  return {
    element: el('form', {
      'class': 'timeline', 'aria-label': TEXTS.timeline,
      'onsubmit': (event) => { event.preventDefault(); },
    }, play, speed, day, minute, shown, live),
    atMs: () => atMs,
    tick(elapsedMs) {
      if (atMs !== undefined) {
        if (plays) moveTo(atMs + elapsedMs * Number(speed.value));
      } else if (minuteOf(Date.now()) !== shownMinute && document.activeElement !== day) {
        // A key or a drag begins at the minute that is shown. A day that is typed in stays.
        show();
      }
    },
  };
}

/** Minutes since epoch. */
function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

/** A time as `2026-01-31 12:34`, in UTC. */
function textOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
