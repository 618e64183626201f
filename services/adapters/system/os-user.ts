import { hostname, userInfo } from 'node:os';

/** User and host of this process as `user@host`, in characters that an actor may have. */
export function osUser(): string {
  return `${userName()}@${hostname()}`.replaceAll(/[^A-Za-z0-9_.@+:-]/g, '_').slice(0, 128);
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
