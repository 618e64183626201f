import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { PartyManners } from '../offender.ts';

/** A party that behaves as the run wants, and takes commands when it is polite. */
export interface BadParty {
  readonly url: string;
  behave(manners: PartyManners): void;
  /** The most MiB that were taken of one answer without an end, since it behaves so. */
  takenMiBMax(): number;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(65_536, 'x');
const MIB = 1_048_576;
const DRIP_MS = 200;
const DRIPS_MAX = 600;

type Deed = (response: ServerResponse, onTaken: (bytes: number) => void) => void;

const DEEDS: Readonly<Record<PartyManners, Deed>> = {
  'polite': (response) => { json(response, { status: 200, message: 'success' }); },
  'line-break-token': (response) => {
    json(response, { access_token: 'a\r\nX-Evil: 1\u{1F4A3}', token_type: 'Bearer', expires_in: 60 });
  },
  'never': () => undefined,
  'endless': (response, onTaken) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    let bytes = 0;
    const more = (): void => {
      if (response.destroyed) return;
      response.write(CHUNK, (error) => {
        if (error === undefined || error === null) onTaken(bytes += CHUNK.length);
        setImmediate(more);
      });
    };
    more();
  },
  'redirect': (response) => { response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(); },
  'broken': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{', () => response.destroy());
  },
  'slow': (response) => {
    response.writeHead(200, { 'content-length': String(DRIPS_MAX) });
    const timer = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  },
  'junk': (response) => { response.socket?.end('\0\0\0 no HTTP at all \r\n\r\n'); },
};

/** Serves every path on a free port. */
export async function startBadParty(): Promise<BadParty> {
  let manners: PartyManners = 'polite';
  let takenMax = 0;
  const onTaken = (bytes: number): void => { takenMax = Math.max(takenMax, bytes); };
  const server = createServer((request, response) => {
    request.resume();
    // Tokens are good unless they are the offence.
    const isToken = request.url === '/oauth/token' && manners !== 'line-break-token';
    if (isToken) json(response, { access_token: 'guest', token_type: 'Bearer', expires_in: 60 });
    else DEEDS[manners](response, onTaken);
  });
  const lines = new Set<Socket>();
  server.on('connection', (line) => {
    lines.add(line);
    line.on('error', () => undefined);
    line.on('close', () => lines.delete(line));
  });
  await listening(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next) => {
      manners = next;
      takenMax = 0;
      for (const line of lines) line.destroy();
    },
    takenMiBMax: () => Math.round(takenMax / MIB),
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
}
