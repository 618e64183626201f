import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a running part that can be cut and mended, so that others who use it notice nothing. */
export interface Switch {
  /** The address through the switch, with the path of the original. */
  readonly url: string;
  /** From now on connections are refused, and those that stand are broken. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a switch before the part at `url`; it is closed by {@link Switch.cut}. */
export async function openSwitch(url: string): Promise<Switch> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | undefined;

  function pass(client: Socket): void {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  async function mend(): Promise<void> {
    if (server !== undefined) return;
    const opened = createServer(pass);
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, '127.0.0.1', resolve);
    });
    const address = opened.address();
    if (typeof address === 'object' && address !== null) port = address.port;
    server = opened;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = undefined;
    const closed = new Promise<void>((resolve) => {
      if (closing === undefined) resolve();
      else closing.close(() => resolve());
    });
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await mend();
  const { pathname } = target;
  const through = `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`;
  return { url: through, cut, mend };
}
