/** True when a value has more than `nodesMax` members and items in it; stops counting there. */
export function hasMoreNodes(value: unknown, nodesMax: number): boolean {
  return countUpTo(value, nodesMax) > nodesMax;
}

function countUpTo(value: unknown, nodesMax: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let nodes = children.length;
  for (const child of children) {
    if (nodes > nodesMax) return nodes;
    nodes += countUpTo(child, nodesMax - nodes);
  }
  return nodes;
}
