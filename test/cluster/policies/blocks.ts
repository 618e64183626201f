/** A block of IPv4 addresses: its first address as a number, and how many bits all of it share. */
interface Block {
  readonly base: number;
  readonly bits: number;
}

const ADDRESS_BITS = 32;

/** The blocks of a `cidr` that are left without those of `except`. */
export function blocksWithout(cidr: string, except: readonly string[]): readonly string[] {
  let left: readonly Block[] = [blockFrom(cidr)];
  for (const hole of except.map(blockFrom)) {
    left = left.flatMap((block) => without(block, hole));
  }
  return left.map(({ base, bits }) => `${addressOf(base)}/${bits}`);
}

/** What is left of a block: the halves that the hole is not in, again and again. */
function without(block: Block, hole: Block): readonly Block[] {
  if (!overlap(block, hole)) return [block];
  if (hole.bits <= block.bits) return [];
  const bits = block.bits + 1;
  const second = block.base + 2 ** (ADDRESS_BITS - bits);
  return [
    ...without({ base: block.base, bits }, hole), ...without({ base: second, bits }, hole),
  ];
}

function overlap(one: Block, other: Block): boolean {
  const size = 2 ** (ADDRESS_BITS - Math.min(one.bits, other.bits));
  return Math.floor(one.base / size) === Math.floor(other.base / size);
}

function blockFrom(cidr: string): Block {
  const [address = '', bits = String(ADDRESS_BITS)] = cidr.split('/');
  const base = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { base, bits: Number(bits) };
}

function addressOf(base: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join('.');
}
