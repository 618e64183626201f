import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../schemas/files.ts';
import type { LogForm } from './log-form.ts';

/**
 * What of a released log the log of today breaks. A topic keeps record, subject and partitions; a
 * record gets optional members and branches of a choice, and nothing else.
 */
export function breaksOf(released: LogForm, today: LogForm): readonly string[] {
  return [
    ...Object.entries(released.topics).flatMap(([name, topic]) => (
      isDeepStrictEqual(topic, today.topics[name]) ? [] : [`topic ${name}`]
    )),
    ...Object.entries(released.records).flatMap(([title, schema]) => (
      breaks(schema, today.records[title], title)
    )),
  ];
}

/** The places at which a schema says something else than what it said, with the way to each. */
function breaks(before: unknown, today: unknown, at: string): readonly string[] {
  if (isDeepStrictEqual(before, today)) return [];
  if (!isJsonObject(before) || !isJsonObject(today)) return [at];
  const words = new Set([...Object.keys(before), ...Object.keys(today)]);
  return [...words].flatMap((word) => breaksOfWord(word, before[word], today[word], at));
}

function breaksOfWord(word: string, before: unknown, today: unknown, at: string) {
  if (word === 'properties' && isJsonObject(before) && isJsonObject(today)) {
    return membersOf(before, today, at);
  }
  if (word === 'items') return breaks(before, today, `${at}/*`);
  if (word === 'required') return isSameSet(before, today) ? [] : [`${at} required`];
  if ((word === 'oneOf' || word === 'anyOf') && Array.isArray(before) && Array.isArray(today)) {
    return before.flatMap((branch, index) => breaks(branch, today[index], `${at}/${word}/${index}`));
  }
  return isDeepStrictEqual(before, today) ? [] : [`${at} ${word}`];
}

function membersOf(before: JsonObject, today: JsonObject, at: string): readonly string[] {
  return Object.entries(before).flatMap(([name, schema]) => (
    breaks(schema, today[name], `${at}/${name}`)
  ));
}

function isSameSet(before: unknown, today: unknown): boolean {
  return Array.isArray(before) && Array.isArray(today)
    && isDeepStrictEqual(new Set(before), new Set(today));
}
