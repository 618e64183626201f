import { CODES } from '../../../kernel/codes.ts';
import type { ErrorForm } from '../../../kernel/http.ts';
import { createAdmin, type AdminPorts } from './admin.ts';
import { openServer, type HttpServer, type ServerPorts } from './open-server.ts';

/** Where the operators' endpoints listen. */
export interface AdminConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

const LIMITS = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 5_000,
  keepAliveTimeoutMs: 65_000,
  headerBytesMax: 8_192,
  connectionsMax: 64,
  connectionsPerAddressMax: 64,
  trustedProxies: [],
};

/** Requests that cannot be read: operators need no more than the code. */
const plainErrors: ErrorForm = {
  write: ({ code }) => ({
    status: CODES[code].kind === 'invalid' ? 400 : 500,
    contentType: 'application/json',
    body: { code },
    headers: {},
  }),
};

/** Opens `/healthz`, `/readyz` and `/metrics` of a process on a port of their own. */
export function openAdmin(
  config: AdminConfig, ports: Omit<ServerPorts, 'errors'>, answers: AdminPorts,
): Promise<HttpServer> {
  return openServer({ ...LIMITS, ...config }, { ...ports, errors: plainErrors },
    createAdmin(answers));
}
