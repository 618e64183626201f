import { execFileSync } from 'node:child_process';
import { createServer as createHttps } from 'node:https';
import { request } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';

/** Files of one authority and what it has signed. */
export interface TestAuthority {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/** Two authorities that do not know each other, in a directory that goes with them. */
export interface TestAuthorities {
  readonly ours: TestAuthority;
  readonly foreign: TestAuthority;
  remove(): void;
}

/** Makes certificates for 127.0.0.1 that are good for a day. */
export function makeAuthorities(): TestAuthorities {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-tls-'));
  return {
    ours: authorityIn(dir, 'ours'),
    foreign: authorityIn(dir, 'foreign'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function authorityIn(dir: string, name: string): TestAuthority {
  const path = (file: string): string => join(dir, `${name}-${file}`);
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe' });
  };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req', '-x509', ...curve, '-days', '1', '-subj', `/CN=${name}`,
    '-keyout', path('ca.key'), '-out', path('ca.crt'),
  );
  const extensions = path('extensions');
  writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  const signed = (who: string): { readonly cert: string; readonly key: string } => {
    openssl(
      'req', ...curve, '-subj', `/CN=${who}`, '-keyout', path(`${who}.key`),
      '-out', path(`${who}.csr`),
    );
    openssl(
      'x509', '-req', '-days', '1', '-in', path(`${who}.csr`), '-CA', path('ca.crt'),
      '-CAkey', path('ca.key'), '-CAcreateserial', '-extfile', extensions,
      '-out', path(`${who}.crt`),
    );
    return { cert: path(`${who}.crt`), key: path(`${who}.key`) };
  };
  return { ca: path('ca.crt'), server: signed('server'), client: signed('client') };
}

/** A proxy before a part that speaks TLS for it. */
export interface TlsFront {
  readonly port: number;
  close(): Promise<void>;
}

/** How a front presents itself, and what it asks of its callers. */
export interface FrontOptions {
  readonly authority: TestAuthority;
  /** True where callers must show a certificate of the same authority. */
  readonly asksForCertificate?: boolean;
  /** A login that callers over HTTP must give. */
  readonly login?: { readonly username: string; readonly password: string };
}

/** Speaks TLS before a part that is reached over a connection, such as Redis. */
export function startTlsFront(target: number, options: FrontOptions): Promise<TlsFront> {
  return listening(createTls(secureOptions(options), (socket) => {
    const inner = connect(target, '127.0.0.1');
    for (const [from, to] of [[socket, inner], [inner, socket]] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  }));
}

/** Speaks TLS before a part that is reached over HTTP. */
export function startHttpsFront(target: string, options: FrontOptions): Promise<TlsFront> {
  const { login } = options;
  const wanted = login === undefined ? undefined
    : `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  return listening(createHttps(secureOptions(options), (call, answer) => {
    if (wanted !== undefined && call.headers.authorization !== wanted) {
      answer.writeHead(401).end('{"error_code":401,"message":"Unauthorized"}');
      return;
    }
    const { method, headers } = call;
    const inner = request(new URL(call.url ?? '/', target), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    inner.on('error', () => answer.destroy());
    call.pipe(inner);
  }));
}

function secureOptions({ authority, asksForCertificate = false }: FrontOptions): {
  readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer;
  readonly requestCert: boolean; readonly rejectUnauthorized: boolean;
} {
  const { ca, server } = authority;
  return {
    cert: readFileSync(server.cert), key: readFileSync(server.key), ca: readFileSync(ca),
    requestCert: asksForCertificate, rejectUnauthorized: asksForCertificate,
  };
}

async function listening(server: Server): Promise<TlsFront> {
  const open = new Set<{ destroy(): unknown }>();
  server.on('secureConnection', (socket: { destroy(): unknown }) => open.add(socket));
  // A caller that does not like us goes away in the midst of the handshake.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}
