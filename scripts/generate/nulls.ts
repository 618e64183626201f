import { isJsonObject } from '../../schemas/files.ts';
import { PREFIX } from './shapes/names.ts';
import type { JsonObject } from '../../schemas/files.ts';

/** What of a document is sent, and what is answered. */
export interface Directions {
  /** Titles of the bodies of requests. */
  readonly sent: readonly string[];
  /** Titles of the bodies of answers, and of whatever else refers to a schema. */
  readonly answered: readonly string[];
}

/** Schemas of a document, and the name of each one that is sent. */
export interface SentSchemas {
  readonly schemas: JsonObject;
  readonly nameOf: (title: string) => string;
}

/**
 * Says of everything that is sent that null is as good as an absent member (decisions.md, Null). An
 * answer never has such a null, so that what is both sent and answered gets a schema for each: that
 * of the sent one ends in `Sent`.
 */
export function withNulls(schemas: JsonObject, { sent, answered }: Directions): SentSchemas {
  const sentTitles = reachable(schemas, sent);
  const answeredTitles = reachable(schemas, answered);
  const nameOf = (title: string): string => (
    sentTitles.has(title) && answeredTitles.has(title) && isStructure(schemas[title])
      ? `${title}Sent`
      : title
  );
  const renamed = Object.fromEntries([...sentTitles].map((title) => (
    [nameOf(title), { ...nullable(schemas[title], nameOf) as JsonObject, title: nameOf(title) }]
  )));
  const all = { ...schemas, ...renamed };
  return {
    nameOf,
    schemas: Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function isStructure(schema: unknown): boolean {
  return /"(?:properties|items|\$ref)":/.test(JSON.stringify(schema));
}

/** The titles of these schemas and of all that they refer to. */
export function reachable(schemas: JsonObject, titles: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...titles];
  for (let title = waiting.pop(); title !== undefined; title = waiting.pop()) {
    if (found.has(title)) continue;
    found.add(title);
    const text = JSON.stringify(schemas[title]);
    waiting.push(...[...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, next]) => String(next)));
  }
  return found;
}

/** A schema in which each member that may be missing may also be null. */
function nullable(node: unknown, nameOf: (title: string) => string): unknown {
  if (Array.isArray(node)) return node.map((each) => nullable(each, nameOf));
  if (!isJsonObject(node)) return node;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) {
    if (name === '$ref') copy[name] = PREFIX + nameOf(String(value).slice(PREFIX.length));
    else if (['example', 'examples', 'default', 'const', 'enum', 'required'].includes(name)) {
      copy[name] = value;
    } else copy[name] = nullable(value, nameOf);
  }
  const { properties, required = [] } = copy;
  if (isJsonObject(properties)) {
    copy['properties'] = Object.fromEntries(Object.entries(properties).map(([name, member]) => (
      [name, (required as unknown[]).includes(name) ? member : orNull(member)]
    )));
  }
  return copy;
}

function orNull(member: unknown): unknown {
  if (!isJsonObject(member)) return member;
  const { type, enum: list, anyOf, description, examples, ...rest } = member;
  if (Array.isArray(anyOf)) return { ...member, anyOf: [...listed(anyOf), { type: 'null' }] };
  if (type === undefined || rest['const'] !== undefined) {
    return {
      ...(description !== undefined && { description }),
      anyOf: [{
        ...rest, ...(type !== undefined && { type }), ...(list !== undefined && { enum: list }),
        ...(examples !== undefined && { examples }),
      }, { type: 'null' }],
    };
  }
  return {
    ...member, type: [...listed(type), 'null'],
    ...(list !== undefined && { enum: [...listed(list), null] }),
  };
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value as readonly unknown[] : [value];
}
