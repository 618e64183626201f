import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, listen, type Listener } from '../../support/listener.ts';
import { awayAt, runRastro } from '../../support/run-rastro.ts';
import { makeAuthorities, type TestAuthorities } from '../../support/tls-front.ts';
import { listenTls } from '../../support/tls-listener.ts';

const LOG = 'The log (KAFKA_BROKERS)';
const TABLES = 'The tables (CLICKHOUSE_URL)';
const UNTRUSTED = 'its certificate is not signed by an authority that we trust';

let authorities: TestAuthorities;
/** Agrees on TLS and then says nothing. */
let silent: Listener;
/** Answers what a broker is asked first, without TLS. */
let plain: Listener;
/** Ends the connection, as a broker without TLS does: it reads a handshake as a length. */
let wary: Listener;

beforeAll(async () => {
  authorities = makeAuthorities();
  silent = await listenTls(authorities.ours);
  plain = await listen(answering('\0\0\0\u0006\0\0\0\u0001\0\0'));
  wary = await listen((socket) => void socket.once('data', () => socket.destroy()));
});

afterAll(async () => {
  for (const each of [silent, plain, wary]) await each.close();
  authorities.remove();
});

/** The settings of brokers that are reached by TLS. */
function brokersAt({ address }: Listener, whose: 'ours' | 'foreign') {
  return {
    KAFKA_BROKERS: address, KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: authorities[whose].ca,
  };
}

describe('a command that reaches its stores by TLS names', () => {
  it('a broker whose authority is not the one that is set', async () => {
    expect(await runRastro(['lag'], brokersAt(silent, 'foreign')))
      .toEqual(awayAt(LOG, silent.address, UNTRUSTED));
  });

  it('a broker that agrees on TLS and stays silent', async () => {
    expect(await runRastro(['lag'], brokersAt(silent, 'ours')))
      .toEqual(awayAt(LOG, silent.address, 'no answer within 3 s'));
  });

  it('a broker without TLS', async () => {
    expect(await runRastro(['lag'], brokersAt(plain, 'ours')))
      .toEqual(awayAt(LOG, plain.address, 'it does not speak TLS'));
  });

  it('a broker without TLS that ends the connection', async () => {
    expect(await runRastro(['lag'], brokersAt(wary, 'ours')))
      .toEqual(awayAt(LOG, wary.address, 'it ends the connection before TLS is agreed on'));
  });

  it('tables that agree on TLS and stay silent', async () => {
    expect(await runRastro(['verify', '--replicas'], {
      CLICKHOUSE_URL: `https://${silent.address}`, CLICKHOUSE_TLS_CA_FILE: authorities.ours.ca,
    })).toEqual(awayAt(TABLES, silent.address, 'no answer within 3 s'));
  });
});
