import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../infra/local/command.ts';
import type { NodePlace } from './network.ts';

/** Who is signed by the authority of a cluster, as Kubernetes names them. */
const SUBJECTS = {
  apiserver: '/CN=kube-apiserver',
  'front-proxy': '/CN=front-proxy',
  admin: '/O=system:masters/CN=admin',
  manager: '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  proxy: '/CN=system:kube-proxy',
} as const;

const DAYS = '30';
const OPENSSL_MS_MAX = 300_000;

/**
 * Writes an authority, and for each subject and each node a certificate, its key and a `.conf` for
 * kubectl. The API server is on the first node, and at the address of its Service.
 */
export async function writeAuthority(
  dir: string, serviceAddress: string, nodes: readonly [NodePlace, ...NodePlace[]],
): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await openssl(dir, [
    'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt',
    '-days', DAYS, '-subj', '/CN=rastro-test-authority',
  ]);
  await openssl(dir, ['genrsa', '-out', 'accounts.key', '2048']);
  await openssl(dir, ['rsa', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub']);
  const subjects = {
    ...SUBJECTS,
    ...Object.fromEntries(nodes.map(({ name }) => [name, `/O=system:nodes/CN=system:node:${name}`])),
  };
  const names = alternatives(serviceAddress, nodes);
  for (const [name, subject] of Object.entries(subjects)) {
    await sign(dir, name, subject, names);
    writeFileSync(join(dir, `${name}.conf`), clientConfig(dir, name, nodes[0].address));
  }
}

async function sign(dir: string, name: string, subject: string, names: string): Promise<void> {
  await openssl(dir, [
    'req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`,
    '-subj', subject,
  ]);
  writeFileSync(join(dir, `${name}.ext`), 'extendedKeyUsage=serverAuth,clientAuth\n'
    + `keyUsage=digitalSignature,keyEncipherment\nsubjectAltName=${names}\n`);
  await openssl(dir, [
    'x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial',
    '-days', DAYS, '-out', `${name}.crt`, '-extfile', `${name}.ext`,
  ]);
}

function alternatives(serviceAddress: string, nodes: readonly NodePlace[]): string {
  return [
    'DNS:kubernetes', 'DNS:kubernetes.default', 'DNS:kubernetes.default.svc', 'DNS:localhost',
    'IP:127.0.0.1', `IP:${serviceAddress}`,
    ...nodes.flatMap(({ name, address }) => [`DNS:${name}`, `IP:${address}`]),
  ].join(',');
}

function clientConfig(dir: string, name: string, address: string): string {
  return JSON.stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': 'test',
    clusters: [{
      name: 'test',
      cluster: { server: `https://${address}:6443`, 'certificate-authority': join(dir, 'ca.crt') },
    }],
    users: [{
      name,
      user: { 'client-certificate': join(dir, `${name}.crt`), 'client-key': join(dir, `${name}.key`) },
    }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
  });
}

async function openssl(cwd: string, args: readonly string[]): Promise<void> {
  await run('openssl', args, { cwd, deadlineMs: OPENSSL_MS_MAX });
}
