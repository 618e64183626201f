/** Waits, and no longer than the page is there. */
export function pause(milliseconds: number, leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(over, milliseconds);
    leaving.addEventListener('abort', over);

    function over(): void {
      clearTimeout(timer);
      leaving.removeEventListener('abort', over);
      resolve();
    }
  });
}
