/** What one call has taken of a shared allowance of bytes. */
export interface ByteReservation {
  /** Whose call it is; to be said before anything is taken. */
  belongTo(owner: string): void;
  /** True when so many more bytes fit; they then count as taken. */
  take(bytes: number): boolean;
  /** Gives back whatever was taken; may be called again. */
  release(): void;
}

/** A shared allowance of bytes. */
export interface ByteBudget {
  /** The part of one call, nothing at first. */
  reservation(): ByteReservation;
  taken(): number;
}

/** Of the allowance, one owner may have one part in so many. */
const OWNERS_AT_LEAST = 4;

/**
 * An allowance that many calls share, so that many large bodies at once cannot fill the memory. One
 * client has at most a quarter of it, so that bodies which it does not end leave room for others.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  const ownerBytesMax = bytesMax / OWNERS_AT_LEAST;
  const byOwner = new Map<string, number>();
  let taken = 0;
  return {
    reservation() {
      let own = 0;
      let owner = '';
      const add = (bytes: number): void => {
        taken += bytes;
        own += bytes;
        const all = (byOwner.get(owner) ?? 0) + bytes;
        if (all === 0) byOwner.delete(owner);
        else byOwner.set(owner, all);
      };
      return {
        belongTo(name) { owner = name; },
        take(bytes) {
          if (taken + bytes > bytesMax) return false;
          if ((byOwner.get(owner) ?? 0) + bytes > ownerBytesMax) return false;
          add(bytes);
          return true;
        },
        release() {
          if (own > 0) add(-own);
        },
      };
    },
    taken: () => taken,
  };
}
