import type { Grant } from '../grants.ts';

/** How the names of all groups of a consumer begin: `NAME.`. */
export function groupsOf(name: string): string {
  return `${name}.`;
}

/** What a consumer of topics may do: read them, in groups of its own, and nothing else. */
export function consumerGrants(name: string, topics: readonly string[]): readonly Grant[] {
  return [
    ...topics.map((topic) => ({ user: name, topic, may: ['read', 'describe'] as const })),
    { user: name, groupsFrom: groupsOf(name), may: ['read', 'describe', 'delete'] },
  ];
}
