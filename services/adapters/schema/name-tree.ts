import type { NameTree } from '../../kernel/warnings.ts';
import type { BundledSchema } from './bundled-schema.ts';
import { withBranches } from './explain/known-names.ts';
import { isHolder } from './explain/refused-body.ts';

/** Every name that a schema knows, at every depth, whatever its branches are. */
export function nameTreeOf(schema: BundledSchema): NameTree {
  return treeOf([schema]);
}

function treeOf(schemas: readonly BundledSchema[]): NameTree {
  const parts = schemas.flatMap(withBranches);
  const byName = Map.groupBy(parts.flatMap(membersOf), ([name]) => name);
  const items = parts.map((part) => part['items']).filter(isHolder);
  return {
    members: byName.size === 0 ? undefined : new Map([...byName].map(([name, members]) => (
      [name, treeOf(members.map(([, member]) => member))]
    ))),
    items: items.length === 0 ? undefined : treeOf(items),
  };
}

function membersOf({ properties }: BundledSchema): readonly (readonly [string, BundledSchema])[] {
  if (!isHolder(properties)) return [];
  return Object.entries(properties)
    .map(([name, member]) => [name, isHolder(member) ? member : {}]);
}
