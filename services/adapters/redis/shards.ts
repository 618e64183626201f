/** An item with the tag of the shard of its key. */
export interface Placed<Item> {
  readonly tag: string;
  readonly item: Item;
}

/**
 * Cuts items into calls: bounded in size, in their order, and on a cluster never across shards,
 * because a call may touch one slot only. On a single Redis one call serves every shard.
 */
export function callsOf<Item>(
  placed: readonly Placed<Item>[], sizeMax: number, cluster: boolean,
): readonly (readonly Placed<Item>[])[] {
  const groups = new Map<string, Placed<Item>[]>();
  for (const one of placed) {
    const name = cluster ? one.tag : '';
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  const calls: (readonly Placed<Item>[])[] = [];
  for (const group of groups.values()) {
    for (let at = 0; at < group.length; at += sizeMax) calls.push(group.slice(at, at + sizeMax));
  }
  return calls;
}
