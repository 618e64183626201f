import { at, type Cell, type Sentence } from './lines.ts';

/** The members of a value, one a line; a number of a member `…_ms` is a time. */
export function membersOf(value: object): readonly Sentence[] {
  const members = Object.entries(value);
  const width = Math.max(...members.map(([name]) => nameOf(name).length)) + 2;
  return members.map(([name, each]) => ({
    parts: [nameOf(name).padEnd(width), cellOf(name, each)],
  }));
}

function nameOf(member: string): string {
  return member.endsWith('at_ms') ? member.slice(0, -'_ms'.length) : member;
}

function cellOf(name: string, value: unknown): Cell {
  if (typeof value === 'number' && nameOf(name) !== name) return at(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
