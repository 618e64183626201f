import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** An address that takes connections, and what it does with them. */
export interface Listener {
  /** `127.0.0.1:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Listens on a free port; without `does` it stays silent, as a process does that stands still. */
export async function listen(does: (socket: Socket) => void = () => undefined): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    does(socket);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    }),
  };
}

/** Answers whatever it is sent with the same words. */
export function answering(words: string): (socket: Socket) => void {
  return (socket) => void socket.on('data', () => socket.write(words));
}
