import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reachAny } from '../../../services/adapters/system/reach.ts';
import type { TlsTexts } from '../../../services/kernel/tls.ts';
import { answering, listen, type Listener } from '../../support/listener.ts';
import {
  makeAuthorities, type TestAuthorities, type TestAuthority,
} from '../../support/tls-front.ts';
import { listenTls } from '../../support/tls-listener.ts';

const WAIT_MS = 2_000;
const SILENT_MS = 50;
const opened: Listener[] = [];
let authorities: TestAuthorities;

beforeAll(() => { authorities = makeAuthorities(); });
afterAll(() => authorities.remove());
afterEach(async () => { for (const each of opened.splice(0)) await each.close(); });

async function kept(listener: Promise<Listener>): Promise<string> {
  opened.push(await listener);
  return (await listener).address;
}

const trusting = ({ ca }: TestAuthority): TlsTexts => ({ ca: readFileSync(ca, 'utf8') });

/** Why an address is said to be away; nothing where it is reached. */
async function reasonAt(address: string, tls: TlsTexts, msMax = WAIT_MS): Promise<string> {
  const sentence = await reachAny('The log', [address], { greeting: 'hello', tls, msMax })
    .then(() => '', (error: unknown) => (error as Error).message);
  return sentence.replace(`The log cannot be reached at ${address} `, '');
}

describe('reaching a service by TLS', () => {
  it('is enough where it answers, and its authority is ours', async () => {
    const address = await kept(listenTls(authorities.ours, { does: answering('here') }));
    expect(await reasonAt(address, trusting(authorities.ours))).toBe('');
  });

  it('says that no authority is trusted which signs it', async () => {
    const address = await kept(listenTls(authorities.ours, { does: answering('here') }));
    for (const tls of [trusting(authorities.foreign), {}]) {
      expect(await reasonAt(address, tls))
        .toBe('(its certificate is not signed by an authority that we trust).');
    }
  });

  it('says in time that it stays silent behind the handshake', async () => {
    const address = await kept(listenTls(authorities.ours));
    expect(await reasonAt(address, trusting(authorities.ours), SILENT_MS))
      .toBe('(no answer within 0.05 s).');
  });

  it('says so of one that stays silent before it', async () => {
    expect(await reasonAt(await kept(listen()), {}, SILENT_MS)).toBe('(no answer within 0.05 s).');
  });

  it('says that a service answers without TLS', async () => {
    for (const words of ['+PONG\r\n', 'HTTP/1.1 400 Bad Request\r\n\r\n', '\0\0\0\u0006\0\0\0\u0001\0\0']) {
      expect(await reasonAt(await kept(listen(answering(words))), {})).toBe('(it does not speak TLS).');
    }
  });

  it('says that a service ends the connection amid the handshake', async () => {
    const address = await kept(listen((socket) => void socket.once('data', () => socket.destroy())));
    expect(await reasonAt(address, {}))
      .toBe('(it ends the connection before TLS is agreed on).');
  });

  it('says that a service wants a certificate of ours', async () => {
    const address = await kept(listenTls(authorities.ours, {
      does: answering('here'), asksForCertificate: true,
    }));
    expect(await reasonAt(address, trusting(authorities.ours)))
      .toBe('(it asks for a certificate of ours).');
    const { cert, key } = authorities.ours.client;
    const own = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    expect(await reasonAt(address, { ...trusting(authorities.ours), ...own })).toBe('');
  });

  it('names the host, by which one address serves many, and checks the certificate by it', async () => {
    const names: unknown[] = [];
    const address = await kept(listenTls(authorities.ours, {
      does: (socket) => {
        names.push((socket as unknown as { readonly servername: unknown }).servername);
        answering('here')(socket);
      },
    }));
    const named = address.replace('127.0.0.1', 'localhost');
    expect(await reasonAt(named, trusting(authorities.ours))).toBe('');
    expect(await reasonAt(address, trusting(authorities.ours))).toBe('');
    expect(names).toEqual(['localhost', false]);
  });
});
