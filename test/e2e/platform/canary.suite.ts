import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { openOperator } from '../../../services/cli/assemble.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { CHOSEN_CLIENT } from '../../support/kafka-logs.ts';
import { deviceBody, DEVICES_PATH, locationsPath } from '../../support/platform-actor.ts';
import { basic } from '../../support/platform-calls.ts';
import { eventually, type TestEnv, type TestClient } from '../../support/platform.ts';

const TOKEN_PATH = '/oauth/token';

/** Secrets that live in a run: none may be found in anything that the processes leave behind. */
export function canarySuite(at: () => TestEnv, more: () => readonly string[]): void {
  describe('secrets of clients, parties and the platform', () => {
    const party = randomBytes(24).toString('base64url');
    const vaultKey = randomBytes(32).toString('base64');
    const secrets: string[] = [];
    const answers: string[] = [];

    /** Calls that fail, with the secret wherever a careless client may put it. */
    async function misuse(client: TestClient, token: string): Promise<void> {
      const { client_id, client_secret } = client;
      const grant = { audience: 'rtt', grant_type: 'client_credentials' };
      for (const secret of [client_secret, token]) {
        for (const [path, wishes] of [
          [`${TOKEN_PATH}?token=${secret}`, { body: grant }],
          [TOKEN_PATH, { body: { ...grant, client_id, client_secret: secret } }],
          [TOKEN_PATH, { body: grant, headers: { authorization: `Bearer ${secret}` } }],
          [TOKEN_PATH, { body: grant, headers: { authorization: basic(secret, secret) } }],
          [TOKEN_PATH, { body: { ...grant, audience: secret } }],
          [TOKEN_PATH, { body: `{"audience":"${secret}` }],
          [`/${secret}`, { method: 'GET', token }],
          [`${DEVICES_PATH}&extra=${secret}`, { token, body: deviceBody() }],
          [DEVICES_PATH, { token, body: { [secret]: secret } }],
          [DEVICES_PATH, { token, body: deviceBody(), headers: { 'x-client-id': secret } }],
          [DEVICES_PATH, { body: deviceBody(), headers: { authorization: secret } }],
          [locationsPath(secret), { token, body: { device_id: secret } }],
          [locationsPath('acme', secret), { token, body: {} }],
        ] as const) {
          const reply = await at().call(path, wishes);
          if (reply.status >= 400) answers.push(JSON.stringify([...reply.headers]) + reply.text);
        }
      }
    }

    async function addParty(): Promise<void> {
      const { env, secretPepper } = at();
      const { ports, close } = await openOperator({
        brokers: env.KAFKA_BROKERS.split(','), registryUrl: env.SCHEMA_REGISTRY_URL,
        kafkaClient: CHOSEN_CLIENT, secretPepper, vaultKey, partySecret: party,
      }, silentSignals);
      const report = await partyCommand(ports, [
        'add', '--kind', 'provider', '--name', 'Canary', '--provider', 'canary',
        '--url', 'https://canary.example', '--auth', 'static',
      ]);
      answers.push(report.lines.join('\n'), JSON.stringify(report.value ?? null));
      await close();
      await eventually('The party in the state store', async () =>
        (await at().raw.keys('*:party:*')).length > 0);
    }

    it('are used in good calls and in bad ones', async () => {
      const client = await at().addClient('--provider', 'acme', '--scope', 'rtt:devices');
      const token = await at().token(client);
      expect((await at().call(DEVICES_PATH, { token, body: deviceBody() })).status).toBe(201);
      await misuse(client, token);
      await addParty();
      secrets.push(
        client.client_secret, token, party, vaultKey, at().secretPepper, ...more(),
        at().env.KAFKA_GATEWAYS_PASSWORD, at().env.KAFKA_WORKERS_PASSWORD,
        passwordIn(at().env.REDIS_GATEWAYS_URL), passwordIn(at().env.REDIS_WORKERS_URL),
        at().env.CLICKHOUSE_INGEST_PASSWORD, at().env.CLICKHOUSE_HISTORY_PASSWORD,
      );
      expect(secrets.every((secret) => secret.length > 15)).toBe(true);
      expect(answers.length).toBeGreaterThan(20);
    });

    it('are in no answer of an error', () => {
      expect(foundIn('answers', answers.join('\n'), secrets)).toEqual([]);
    });

    it('are in no line that a process wrote', () => {
      const logs = serviceLogs(at().dir);
      expect(logs.length).toBeGreaterThanOrEqual(4);
      expect(logs.flatMap(([name, text]) => foundIn(name, text, secrets))).toEqual([]);
    });

    it('are in no metric', async () => {
      const ports = serviceLogs(at().dir).map(([, text]) => adminPortIn(text));
      const scrapes = await Promise.all(ports.map(async (port) => (
        await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      )));
      expect(scrapes.every((text) => text.includes('rastro_'))).toBe(true);
      expect(foundIn('metrics', scrapes.join('\n'), secrets)).toEqual([]);
    });

    it('are in no record and no header of any topic, dead letters among them', async () => {
      const texts: string[] = [];
      await at().log.reader.readToEnd(
        Object.values(TOPICS).map(({ name }) => name),
        async (records) => {
          for (const record of records) {
            const isGood = 'value' in record;
            const bytes = isGood ? [record.value] : [record.rawKey, record.rawValue];
            texts.push(
              JSON.stringify(record.headers), isGood ? record.key : '',
              ...bytes.map((each) => each?.toString('latin1') ?? ''),
            );
          }
        },
      );
      expect(texts.length).toBeGreaterThan(5);
      expect(foundIn('topics', texts.join('\n'), secrets)).toEqual([]);
    });

    it('are in no byte that the log and the state store keep on disk', () => {
      const files = [join(at().dir, 'stack', 'kafka', 'log'), join(at().dir, 'stack', 'redis')]
        .flatMap(filesBelow)
        // Segments and the append-only file; the launcher's own files hold passwords on purpose.
        .filter((path) => /\.(log|aof|rdb)$/.test(path) && !path.endsWith('output.log'));
      expect(files.length).toBeGreaterThan(10);
      expect(files.flatMap((path) => (
        foundIn(path, readFileSync(path, 'latin1'), secrets)
      ))).toEqual([]);
    }, 60_000);
  });
}

/** Places where a secret is found, as it is or in one of the forms in which it travels. */
function foundIn(place: string, text: string, secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret, index) => {
    const bytes = Buffer.from(secret);
    const forms = [
      secret, bytes.toString('hex'), encodeURIComponent(secret),
      // Base64 at each of the three places that it may have in a longer text, without the ends.
      ...[0, 1, 2].map((shift) => (
        Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64').slice(4, -4)
      )),
    ];
    return forms.some((form) => text.includes(form)) ? [`secret ${index} in ${place}`] : [];
  });
}

function serviceLogs(dir: string): readonly (readonly [string, string])[] {
  return readdirSync(dir).filter((name) => /^(gateway|projectors|table-writer)/.test(name))
    .map((name) => [name, readFileSync(join(dir, name, 'output.log'), 'utf8')] as const)
    .filter(([, text]) => /"boot"/.test(text));
}

/** As the process logged it when it began. */
function adminPortIn(text: string): string {
  return [...text.matchAll(/_ADMIN_PORT\\?":(\d+)/g)].at(-1)?.[1] ?? '';
}

function passwordIn(url: string): string {
  return new URL(url).password;
}

function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile());
}
