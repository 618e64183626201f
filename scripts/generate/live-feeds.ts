import { exampleOf } from './examples.ts';
import { fileTitled, reference } from './components.ts';
import { inlined } from '../../schemas/inline.ts';
import type { CatalogOperation } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';
import type { Source } from './source.ts';

/** The events of every feed besides its own, by their name on the wire. */
const EVENTS_OF_ALL = { reset: 'FeedReset', mark: 'FeedMark' } as const;

/** The name of the event that carries a schema. */
const EVENT_OF: ReadonlyMap<string, string> = new Map([
  ['PositionUpdate', 'positions'], ['FactUpdate', 'facts'],
]);

/** The content type of a feed. */
export const STREAM = 'text/event-stream';

/** Titles of the schemas of all events. */
export const FEED_EVENTS: readonly string[] = [
  ...EVENT_OF.keys(), ...Object.values(EVENTS_OF_ALL),
];

/** The operations of the catalog that are answered with server-sent events. */
export function liveFeeds({ catalog }: Source): readonly CatalogOperation[] {
  return catalog.operations.filter(({ responses }) => responses['200']?.content_type === STREAM);
}

/** A live feed as a channel: its address is the path of the call. */
export function feedChannel(operation: CatalogOperation): JsonObject {
  const { path, method, summary, audience, scope } = operation;
  const messages = titlesOf(operation)
    .map((title) => [title, { $ref: `#/components/messages/${title}` }]);
  return {
    address: path,
    description: `${summary}, as server-sent events; audience ${audience ?? ''}, scope ${scope ?? ''}.`
      + ' The id of an event is where the next call goes on (Last-Event-ID).',
    messages: Object.fromEntries(messages) as JsonObject,
    bindings: { http: {} },
    ['x-method']: method,
  };
}

/** What follows a live feed does with its channel. */
export function feedOperation(operation: CatalogOperation): JsonObject {
  const channel = `#/channels/${feedName(operation)}`;
  return {
    action: 'send',
    description: `Pushes what comes to who calls ${operation.path}.`,
    channel: { $ref: channel },
    messages: titlesOf(operation).map((title) => ({ $ref: `${channel}/messages/${title}` })),
  };
}

/**
 * The answer of a feed as a client reads it: a text of events. JSON Schema says of such a text what
 * it holds, and generators of clients leave it a text instead of reading it as one object.
 */
export function feedBody(title: string, data: unknown): JsonObject {
  return {
    schema: {
      type: 'string', contentMediaType: STREAM, contentSchema: reference(title),
      description: 'Server-sent events; the data of each is JSON.',
    },
    example: `event: ${EVENT_OF.get(title) ?? ''}\ndata: ${JSON.stringify(data)}\n\n`,
  };
}

/** The name of a feed in the document. */
export function feedName({ id }: CatalogOperation): string {
  return id.replaceAll(/-(\w)/g, (_, first: string) => first.toUpperCase());
}

/** An event as a message; its name is that of the event on the wire. */
export function feedMessage(source: Source, title: string): JsonObject {
  const file = fileTitled(source, title);
  const own = Object.entries(EVENTS_OF_ALL).find(([, each]) => each === title)?.[0];
  return {
    name: own ?? EVENT_OF.get(title) ?? title,
    title,
    summary: String(file.schema['description']),
    contentType: 'application/json',
    payload: reference(title),
    examples: [{ payload: exampleOf(inlined(source, file, [])) }],
  };
}

function titlesOf({ responses }: CatalogOperation): readonly string[] {
  return [responses['200']?.schema ?? '', ...Object.values(EVENTS_OF_ALL)];
}
