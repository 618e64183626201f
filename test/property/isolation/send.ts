import type { Probe } from '../../support/isolation/calls.ts';

/** A probe as it is sent, with what proves who its caller is. */
export function requestOf(
  { method, body, headers }: Probe, proof: Readonly<Record<string, string>>,
): RequestInit {
  const isForm = body instanceof URLSearchParams;
  return {
    method, redirect: 'manual',
    headers: {
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...proof, ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  };
}

/** What its caller knew before it sent it: an answer may say that back. */
export function saidBy({ path, body }: Probe): string {
  const sent = body instanceof URLSearchParams ? body.toString() : JSON.stringify(body ?? {});
  return `${decodeURIComponent(path)} ${sent}`;
}
