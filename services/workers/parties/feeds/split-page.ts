import { isSameNumber } from '../../../domain/journey/canonical-number.ts';
import { isFields, isText } from '../../../kernel/json-fields.ts';

/** A page of a feed with its items as the bytes that the carrier wrote. */
export interface SplitPage {
  readonly items: readonly Buffer[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const LIST = 'notifications';
const ITEMS_MAX = 500;
const CURSOR_CHARACTERS_MAX = 512;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Takes the answer of a feed apart (schemas/http/notification-feed.json). Undefined when it is no
 * page of this shipment. Items are not checked: a bad one must not spoil its neighbours.
 */
export function splitPage(body: Buffer, trackingNumber: string): SplitPage | undefined {
  const page = parse(body);
  if (!isFields(page) || !isText(page['tracking_number'])) return undefined;
  if (!isSameNumber(page['tracking_number'], trackingNumber)) return undefined;
  const { next_cursor: cursor, has_more: hasMore, [LIST]: list } = page;
  if (!isText(cursor) || cursor.length > CURSOR_CHARACTERS_MAX) return undefined;
  if (typeof hasMore !== 'boolean' || !Array.isArray(list) || list.length > ITEMS_MAX) {
    return undefined;
  }
  const { items, names } = scan(body);
  if (new Set(names).size < names.length) return undefined;
  return { items, cursor, hasMore };
}

/**
 * The members of the outer object and the bytes of each item of its list. The text is JSON already,
 * and its structure is ASCII, so bytes that are no UTF-8 stay inside of their item.
 */
function scan(body: Buffer): { readonly items: Buffer[]; readonly names: string[] } {
  const items: Buffer[] = [];
  const names: string[] = [];
  let depth = 0;
  let text: readonly [from: number, to: number] = [0, 0];
  let itemFrom: number | undefined;
  const endItem = (to: number): void => {
    const item = trimmed(body.subarray(itemFrom, to));
    if (item.length > 0) items.push(item);
  };
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfText(body, at);
      text = [at, end + 1];
      at = end;
    } else if (byte === COLON && depth === 1) {
      names.push(JSON.parse(body.toString('utf8', ...text)) as string);
    } else if (byte === COMMA && depth === 2 && itemFrom !== undefined) {
      endItem(at);
      itemFrom = at + 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      const isList = byte === OPEN_LIST && depth === 2 && names.at(-1) === LIST;
      if (isList) itemFrom = at + 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (depth === 2 && itemFrom !== undefined) {
        endItem(at);
        itemFrom = undefined;
      }
      depth -= 1;
    }
  }
  return { items, names };
}

/** Without the blanks around it; there are none that are no ASCII. */
function trimmed(item: Buffer): Buffer {
  const isBlank = (byte: number | undefined): boolean => byte !== undefined && byte <= 0x20;
  let [from, to] = [0, item.length];
  while (from < to && isBlank(item[from])) from += 1;
  while (to > from && isBlank(item[to - 1])) to -= 1;
  return item.subarray(from, to);
}

function endOfText(body: Buffer, begin: number): number {
  for (let at = begin + 1; at < body.length; at += 1) {
    if (body[at] === BACKSLASH) at += 1;
    else if (body[at] === QUOTE) return at;
  }
  return body.length;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
