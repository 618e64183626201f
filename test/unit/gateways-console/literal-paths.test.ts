import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { roomOf } from '../../../infra/generate/routes.ts';
import { createConsolePages } from '../../../services/gateways/console/find-console.ts';
import type { StaticFile } from '../../../services/kernel/pages.ts';
import { openEdge, type Edge } from '../../support/edge.ts';
import { consoleEnv, type ConsoleEnv } from './console-env.ts';

const PAGE: StaticFile = {
  contentType: 'text/html', digest: '0', isImmutable: false,
  read: () => Promise.resolve(Buffer.from('the page')),
};
/** Other ways to write the address, which a router of the cluster may read as another prefix. */
const OTHERWISE = [
  '/%63onsole', '/consol%65', '/Console', '/CONSOLE', '//console', '/./console', '/x/../console',
  '/console%2f..', '/console;x=1', '/%2fconsole', '/console%20',
];

let at: ConsoleEnv;
let edge: Edge;
beforeEach(async () => {
  at = await consoleEnv();
  edge = await openEdge({
    operations: at.operations, admission: at.states.admission,
    pages: createConsolePages({ files: new Map([['/console/', PAGE]]), scriptDigest: '' }),
  });
});
afterEach(() => edge.close());

const sent = (method: string, path: string, link: string): Promise<string> => edge.raw([
  `${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${link}`,
  'Content-Length: 0', 'Connection: close', '', '',
].join('\r\n'));

describe('a proxy at /console', () => {
  it.each(OTHERWISE)('is not gone round by %s, where no page and no sign-in is', async (base) => {
    const link = await at.link();
    expect(roomOf('GET', `${base}/`)).not.toBe('console');
    expect(await sent('GET', `${base}/`, link)).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(await sent('POST', `${base}/session`, link)).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(await sent('GET', '/console/', link)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sent('POST', '/console/session', link)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
