import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RegistryConfig } from './config.ts';

/** What the registry answered. */
export interface RegistryAnswer {
  readonly status: number;
  readonly body: string;
}

/** Longest answer that is read: those that we ask for are a few words. */
const ANSWER_CHARACTERS_MAX = 65_536;

/** Asks the registry something that its client library has no name for, within `requestMsMax`. */
export function askRegistry(
  config: Omit<RegistryConfig, 'clientId'>, path: string, method: 'GET' | 'PUT', value?: unknown,
): Promise<RegistryAnswer> {
  const url = new URL(`${config.url.replace(/\/+$/, '')}${path}`);
  const { login } = config;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(config.requestMsMax),
      ...(login === undefined ? {} : { auth: `${login.username}:${login.password}` }),
      ...config.tls,
    };
    const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    asked.once('error', reject);
    asked.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        body += piece;
        if (body.length > ANSWER_CHARACTERS_MAX) response.destroy(new Error('a long answer'));
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.end(value === undefined ? undefined : JSON.stringify(value));
  });
}
