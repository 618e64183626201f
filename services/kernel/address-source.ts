const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Whom a limit of one address holds for: an IPv4 address, also one that IPv6 carries, or the /64
 * network of an IPv6 address, all of which is one host's to choose from.
 */
export function sourceOf(address: string): string {
  const carried = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (carried !== undefined) return carried;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const first = groupsIn(head);
  const last = groupsIn(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(GROUPS - first.length - last.length, 0);
  const groups = [...first, ...Array<string>(missing).fill('0'), ...last];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** An IPv4 address at the end counts as two groups. */
function groupsIn(part: string): readonly string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => (
    group.includes('.') ? [group, group] : [group.replace(/^0+(?=.)/, '')]
  ));
}
