import type { Redis } from 'ioredis';
import type { RedisConfig } from './config.ts';

/** Pings in the time after which a silent server is left. */
const PINGS = 4;

/** How long to wait between two pings. */
export function pauseBetweenPings({ silentMsMax }: Pick<RedisConfig, 'silentMsMax'>): number {
  return Math.floor(silentMsMax / PINGS);
}

/**
 * Keeps a question open at each server, so that the time limit of its socket closes the connection
 * to one that stops answering before another can have taken over. What such a server would answer
 * from its queue, once it goes on and before it learns that it was replaced, reaches no caller. The
 * result ends the questions.
 */
export function leaveSilentServers(
  servers: () => readonly Redis[], config: Pick<RedisConfig, 'silentMsMax'>,
): () => void {
  const timer = setInterval(() => {
    for (const server of servers()) {
      if (server.status === 'ready') server.ping().catch(() => undefined);
    }
  }, pauseBetweenPings(config));
  timer.unref();
  return () => clearInterval(timer);
}
