import { epochMsOf } from '../../kernel/date-time.ts';
import { isFields, isFiniteNumber, isText, type Fields } from '../../kernel/json-fields.ts';

/** An item of a body: something that was at a time, and perhaps at a place. */
export interface BodyItem {
  readonly pointer: string;
  readonly fields: Fields;
  /** Name of the member that says when it was, and the seconds since 1970 of that. */
  readonly timeName: string;
  readonly seconds: number | undefined;
}

/** Where an operation has its items, and which member of an item is its time. */
interface ItemList {
  readonly list: string;
  readonly time: string;
}

const LISTS: Readonly<Record<string, ItemList>> = {
  'send-locations': { list: 'locations', time: 'timestamp' },
  'send-delivery-locations': { list: 'locations', time: 'timestamp' },
  'send-telemetry-events': { list: 'events', time: 'end_date' },
  'send-deferred-events': { list: 'events', time: 'end_date' },
};

/** The items of a body, in its order; none of an operation without such. */
export function itemsOf(operation: string, body: unknown): readonly BodyItem[] {
  if (operation === 'push-notifications') return notificationsIn(body);
  const known = LISTS[operation];
  const list = known !== undefined && isFields(body) ? body[known.list] : undefined;
  if (known === undefined || !Array.isArray(list)) return [];
  return list.filter(isFields).map((fields, at) => (
    itemOf(`/${known.list}/${at}`, fields, known.time, fields[known.time])
  ));
}

function notificationsIn(body: unknown): readonly BodyItem[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter(isFields).map((fields, at) => {
    const { payload } = fields;
    const date = isFields(payload) ? payload['date'] : undefined;
    return itemOf(Array.isArray(body) ? `/${at}` : '', fields, 'payload/date', date);
  });
}

function itemOf(pointer: string, fields: Fields, timeName: string, time: unknown): BodyItem {
  return { pointer, fields, timeName, seconds: secondsOf(time) };
}

/** The seconds of a time in either form. */
export function secondsOf(time: unknown): number | undefined {
  if (isFiniteNumber(time)) return time;
  const ms = isText(time) ? epochMsOf(time) : undefined;
  return ms === undefined ? undefined : ms / 1_000;
}
