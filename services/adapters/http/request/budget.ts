/** What one call has taken of a shared allowance of bytes. */
export interface ByteReservation {
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

/** An allowance that many calls share, so that many large bodies at once cannot fill the memory. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let taken = 0;
  return {
    reservation() {
      let own = 0;
      return {
        take(bytes) {
          if (taken + bytes > bytesMax) return false;
          taken += bytes;
          own += bytes;
          return true;
        },
        release() {
          taken -= own;
          own = 0;
        },
      };
    },
    taken: () => taken,
  };
}
