import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** An address that takes connections, and what it does with them. */
export interface Listener {
  /** `127.0.0.1:port`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Listens on a free port; without `does` it stays silent, as a process does that stands still. */
export function listen(does: (socket: Socket) => void = () => undefined): Promise<Listener> {
  const sockets = new Set<Socket>();
  return listenerOf(createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    does(socket);
  }), sockets);
}

/** Lets a server listen on a free port; at its end its sockets are destroyed. */
export async function listenerOf(server: Server, sockets: ReadonlySet<Socket>): Promise<Listener> {
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
