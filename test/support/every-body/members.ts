import type { JsonPath } from './places.ts';

/** The way to every member of every object of a body, those inside of lists too. */
export function membersOf(value: unknown, at: JsonPath = []): readonly JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => membersOf(item, [...at, i]));
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...at, name];
    return [place, ...membersOf(member, place)];
  });
}

/** A copy of a body with another value at one place; `undefined` takes the member away. */
export function withMember(body: unknown, place: JsonPath, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const [last = '', ...before] = place.toReversed();
  const holder = before.toReversed().reduce<unknown>((inner, step) => (
    (inner as Readonly<Record<string, unknown>>)[step]
  ), copy) as Record<string, unknown>;
  holder[last] = value;
  return copy;
}
