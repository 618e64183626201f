import { el, facts } from './elements.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const MS = /_ms$/;

/** Any body of an answer for people: members as rows, lists as lists, times as times. */
export function recordView(value: unknown): HTMLElement {
  if (Array.isArray(value)) {
    return el('ol', { class: 'items' }, ...value.map((each) => el('li', {}, shown(each, ''))));
  }
  return facts(Object.entries(value as object).map(([name, each]: [string, unknown]) => (
    [wordsOf(name), shown(each, name)] as const
  )));
}

function shown(value: unknown, name: string): HTMLElement | string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object') {
    return Object.keys(value).length === 0 ? undefined : recordView(value);
  }
  if (typeof value === 'string') return TIME.test(value) ? timeText(Date.parse(value)) : value;
  if (typeof value === 'number' && MS.test(name)) return timeText(value);
  if (typeof value === 'number' && name === 'timestamp') return timeText(value * 1_000);
  return JSON.stringify(value);
}

/** A time for people, in UTC, from milliseconds since epoch. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `received_at_ms` as `Received at`. */
function wordsOf(name: string): string {
  const words = name.replace(MS, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
