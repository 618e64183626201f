/** True while a process of this machine has the id, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** Asks a process of this machine to end, as every platform does; throws when it may not. */
export function askToEnd(pid: number): void {
  process.kill(pid, 'SIGTERM');
}
