import { el } from './elements.ts';
import { TEXTS } from './texts.ts';

/** A day in UTC that a person chooses. */
export interface DayPicker {
  readonly element: HTMLElement;
  /** Its first millisecond, since epoch. */
  dayMs(): number;
}

const DAY_MS = 86_400_000;
/** The day before that one has begun over 400 days ago. */
const DAYS_BACK_MAX = 399;

/** Makes it for today; fixes are kept for 400 days. */
export function createDayPicker(onDay: (dayMs: number) => void): DayPicker {
  const today = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;
  let dayMs = today();
  const input = el('input', {
    'type': 'date', 'aria-label': TEXTS.day, 'min': textOf(today() - DAYS_BACK_MAX * DAY_MS),
    'max': textOf(today()), 'onchange': () => { choose(Date.parse(`${input.value}T00:00:00Z`)); },
  });
  const before = el('button', { type: 'button', onclick: () => { choose(dayMs - DAY_MS); } }, TEXTS.dayBefore);
  const after = el('button', { type: 'button', onclick: () => { choose(dayMs + DAY_MS); } }, TEXTS.dayAfter);

  function choose(ms: number): void {
    const first = today() - DAYS_BACK_MAX * DAY_MS;
    const next = Number.isNaN(ms) ? dayMs : Math.min(today(), Math.max(first, ms));
    const isNew = next !== dayMs;
    dayMs = next;
    show();
    if (isNew) onDay(dayMs);
  }

  function show(): void {
    input.value = textOf(dayMs);
    before.disabled = dayMs <= today() - DAYS_BACK_MAX * DAY_MS;
    after.disabled = dayMs >= today();
  }

  show();
  return { element: el('span', {}, before, ' ', input, ' ', after), dayMs: () => dayMs };
}

function textOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
