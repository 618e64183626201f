import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../infra/local/command.ts';

/** What signs the broker's certificate, and the settings of the broker that has it. */
export interface LogAuthority {
  readonly certificate: string;
  readonly brokerSettings: string;
}

const SERVICE = 'rastro-kafka-bootstrap';
const ADDRESS = `${SERVICE}.rastro.svc.cluster.local:9093`;
const NAMES = ['', '.rastro', '.rastro.svc', '.rastro.svc.cluster.local']
  .map((rest) => `DNS:${SERVICE}${rest}`).join(',');
const OPENSSL_MS_MAX = 300_000;

/** Makes an authority and a broker's certificate, in a folder of the run. */
export async function makeLogAuthority(dir: string): Promise<LogAuthority> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const openssl = (...args: readonly string[]): Promise<string> => (
    run('openssl', args, { cwd: dir, deadlineMs: OPENSSL_MS_MAX }));
  await openssl(
    'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt',
    '-days', '30', '-subj', '/CN=rastro-test-log',
  );
  // PKCS 8, the only form that the broker reads.
  await openssl(
    'req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'broker.key', '-out', 'broker.csr',
    '-subj', '/CN=broker',
  );
  writeFileSync(join(dir, 'broker.ext'), `subjectAltName=${NAMES}\n`);
  await openssl(
    'x509', '-req', '-in', 'broker.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial',
    '-days', '30', '-out', 'broker.crt', '-extfile', 'broker.ext',
  );
  const text = (name: string): string => readFileSync(join(dir, name), 'utf8');
  return {
    certificate: text('ca.crt'),
    brokerSettings: settingsOf(text('broker.crt'), text('broker.key')),
  };
}

function settingsOf(certificate: string, key: string): string {
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': '1@localhost:9092',
    'listeners': 'INSIDE://localhost:9091,CONTROLLER://localhost:9092,TLS://0.0.0.0:9093',
    'advertised.listeners': `INSIDE://localhost:9091,TLS://${ADDRESS}`,
    'listener.security.protocol.map': 'INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT,TLS:SASL_SSL',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'INSIDE',
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.tls.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.tls.ssl.keystore.type': 'PEM',
    'listener.name.tls.ssl.keystore.certificate.chain': inOneLine(certificate),
    'listener.name.tls.ssl.keystore.key': inOneLine(key),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS;User:admin',
    'log.dirs': '/var/lib/kafka/data/log',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    'log.cleaner.dedupe.buffer.size': '16777216',
  }).map(([name, value]) => `${name}=${value}\n`).join('');
}

/** As a file of properties has it. */
function inOneLine(pem: string): string {
  return pem.replaceAll('\n', '\\n');
}
