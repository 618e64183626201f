/**
 * Which ports this network reaches. A port that refuses was reached; one that stays silent was
 * not, as rules drop what they do not let through.
 */
import { connect } from 'node:net';
import { answer } from '../../containers/inside/answer.ts';

interface Question {
  /** `address:port` of each. */
  readonly targets: readonly string[];
  readonly silentMs: number;
}

function reaches(target: string, silentMs: number): Promise<boolean> {
  const [host = '', port = ''] = target.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const end = (reached: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    // A process that was kept waiting first hears what came meanwhile.
    const timer = setTimeout(() => { setImmediate(() => { end(false); }); }, silentMs);
    socket.on('connect', () => { end(true); });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => { end(code === 'ECONNREFUSED'); });
  });
}

await answer<Question>(async ({ targets, silentMs }) => {
  const reached = await Promise.all(targets.map(async (target) => (
    await reaches(target, silentMs) ? [target] : [])));
  return { reached: reached.flat() };
});
