import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { requireAlertmanager } from '../../../infra/check/prometheus.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import { waitFor } from '../../../infra/local/wait.ts';

/** A real Alertmanager, and what the person on call gets from it. */
export interface Alertmanager {
  /** Host and port, for Prometheus. */
  readonly address: string;
  /** Names of alarms that it has notified of, and not yet of their end. */
  readonly ringing: () => readonly string[];
  /** Names of all alarms that it has notified of since it started, or since `forget` was called. */
  readonly heard: () => readonly string[];
  /** What rings on is heard again only when it has ended before. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** What its webhook posts, as far as it is read. */
interface Notice {
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved';
    readonly fingerprint: string;
    readonly labels: { readonly alertname: string };
  }[];
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const READY_MS_MAX = 60_000;

/** Starts it in a folder of its own, with a receiver on loopback. */
export async function startAlertmanager(dir: string): Promise<Alertmanager> {
  const [program, ...words] = await requireAlertmanager(ROOT_DIR);
  mkdirSync(dir, { recursive: true });
  const names = new Map<string, string>();
  const firing = new Set<string>();
  const begun = new Set<string>();
  const receiver = createServer((request, response) => {
    noticeIn(request).then(({ alerts }) => {
      for (const { status, fingerprint, labels } of alerts) {
        names.set(fingerprint, labels.alertname);
        if (status === 'resolved') firing.delete(fingerprint);
        else if (!firing.has(fingerprint)) {
          firing.add(fingerprint);
          begun.add(fingerprint);
        }
      }
      response.end();
    }, () => response.destroy());
  });
  await new Promise<void>((done) => { receiver.listen(0, '127.0.0.1', done); });
  const [port = 0] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  writeFileSync(join(dir, 'alertmanager.yaml'), JSON.stringify({
    route: {
      receiver: 'on-call', group_by: ['...'],
      group_wait: '1s', group_interval: '1s', repeat_interval: '1h',
    },
    receivers: [{ name: 'on-call', webhook_configs: [{
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, send_resolved: true,
    }] }],
  }));
  const child = spawn(program, [
    ...words, `--config.file=${join(dir, 'alertmanager.yaml')}`, `--storage.path=${join(dir, 'data')}`,
    `--web.listen-address=${address}`, '--cluster.listen-address=', '--log.level=error',
  ], { stdio: ['ignore', 'ignore', openSync(join(dir, 'output.log'), 'w')] });
  const ended = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    receiver.close();
    receiver.closeAllConnections();
  };
  await waitFor(() => fetch(`http://${address}/-/ready`).then(({ ok }) => ok, () => false), {
    what: 'Alertmanager', deadlineMs: READY_MS_MAX, everyMs: 200,
    hopeless: () => (child.exitCode === null ? undefined : `ended with ${String(child.exitCode)}`),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const namesOf = (fingerprints: Iterable<string>): readonly string[] => [
    ...new Set([...fingerprints].map((each) => names.get(each) ?? each)),
  ].toSorted();
  return {
    address, close,
    ringing: () => namesOf(firing),
    heard: () => namesOf(begun),
    forget: () => { begun.clear(); },
  };
}

async function noticeIn(request: IncomingMessage): Promise<Notice> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Notice;
}
