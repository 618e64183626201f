import { epochMsOf } from '../../kernel/date-time.ts';
import { isFields, isFiniteNumber, isText, type Fields } from '../../kernel/json-fields.ts';

/** An item of a body: something that was at a time, and perhaps at a place. */
export interface SentItem {
  readonly pointer: string;
  readonly fields: Fields;
  /** Name of the member that says when it was, and the seconds since 1970 of that. */
  readonly timeName: string;
  readonly seconds: number | undefined;
}

/** Where an operation has its items, and which member of an item is its time. */
interface ItemPlace {
  readonly list: string;
  readonly time: string;
}

const PLACES: Readonly<Record<string, ItemPlace>> = {
  'send-locations': { list: 'locations', time: 'timestamp' },
  'send-delivery-locations': { list: 'locations', time: 'timestamp' },
  'send-telemetry-events': { list: 'events', time: 'end_date' },
  'send-deferred-events': { list: 'events', time: 'end_date' },
};

/** The items of a body, in its order; none of an operation without such. */
export function itemsOf(operation: string, body: unknown): readonly SentItem[] {
  if (operation === 'push-notifications') return notificationsIn(body);
  const place = PLACES[operation];
  const list = place !== undefined && isFields(body) ? body[place.list] : undefined;
  if (place === undefined || !Array.isArray(list)) return [];
  return list.filter(isFields).map((fields, at) => (
    itemOf(`/${place.list}/${at}`, fields, place.time, fields[place.time])
  ));
}

function notificationsIn(body: unknown): readonly SentItem[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter(isFields).map((fields, at) => {
    const { payload } = fields;
    const date = isFields(payload) ? payload['date'] : undefined;
    return itemOf(Array.isArray(body) ? `/${at}` : '', fields, 'payload/date', date);
  });
}

function itemOf(pointer: string, fields: Fields, timeName: string, time: unknown): SentItem {
  return { pointer, fields, timeName, seconds: secondsOf(time) };
}

/** The seconds of a time in either form. */
export function secondsOf(time: unknown): number | undefined {
  if (isFiniteNumber(time)) return time;
  const ms = isText(time) ? epochMsOf(time) : undefined;
  return ms === undefined ? undefined : ms / 1_000;
}
