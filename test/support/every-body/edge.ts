import { Agent, request } from 'node:http';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import type { PersonalSeals, SubjectKeys } from '../../../services/kernel/personal.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../command-facts.ts';
import { exampleCall } from '../documented-answers.ts';
import { EDGE_TOKEN } from '../edge.ts';
import { fakeAuthorizations } from '../fake-authorizations.ts';
import { CALLER, CALLER_SECRET, openWholeEdge } from '../whole-edge.ts';

/** The operations of the gateways that take a JSON body. */
export const BODY_OPERATIONS: readonly string[] = Object.values(OPERATIONS)
  .filter(({ id, request: asked }) => (
    asked?.content_type === 'application/json' && id !== 'provider-command'
  ))
  .map(({ id }) => id);

/** What came of one body. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  /** JSON texts of the records that it left, and of the members that were sealed in them. */
  readonly stored: readonly string[];
}

/** All rooms over parts in memory, one call at a time. */
export interface BodyEdge {
  send(id: string, body: string | Buffer): Promise<Outcome>;
  /** Lines that the server wrote since it was opened. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

const AUTHORIZING: ReadonlySet<string> = new Set(['authorize-shipment', 'cancel-shipment']);
const BASIC = `Basic ${Buffer.from(`${CALLER}:${CALLER_SECRET}`).toString('base64')}`;

/** Opens it, with everything in place that the examples speak of. */
export async function openBodyEdge(): Promise<BodyEdge> {
  const sealed: string[] = [];
  let authorizations = fakeAuthorizations().authorizations;
  const whole = await openWholeEdge({}, (parts) => ({
    ...parts,
    personal: watched(parts.personal, (text) => { sealed.push(text); }),
    states: { ...parts.states, authorizations: forwarding(() => authorizations) },
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await whole.commands.parties.apply(aParty());
  await whole.commands.commands.applyCommands(
    placedCommands([aTelemetryRequest('cmVxdWVzdC0x', 987_654)]),
  );

  /** An order is decided once: each body meets orders of which nobody knows anything yet. */
  async function forget(id: string): Promise<void> {
    authorizations = fakeAuthorizations().authorizations;
    if (id !== 'cancel-shipment') return;
    whole.admit('authorize-shipment');
    await (await whole.call('authorize-shipment')).text();
  }

  return {
    lines: whole.edge.lines,
    async send(id, body) {
      if (AUTHORIZING.has(id)) await forget(id);
      whole.admit(id);
      const { path } = exampleCall(id);
      const before = whole.log.appended.length;
      sealed.length = 0;
      const authorization = id === 'issue-token' ? BASIC : `Bearer ${EDGE_TOKEN}`;
      const answer = await post(agent, whole.edge.port, path, authorization, body);
      const records = whole.log.appended.slice(before);
      const stored = records.map(({ key, bytes }) => (
        `[${JSON.stringify(key)},${Buffer.from(bytes).toString('utf8')}]`
      ));
      return { ...answer, stored: [...stored, ...sealed] };
    },
    close: async () => {
      agent.destroy();
      await whole.close();
    },
  };
}

/** A port whose calls go to whatever stands behind it just then. */
function forwarding<Port extends object>(current: () => Port): Port {
  return new Proxy({} as Port, { get: (_, name) => Reflect.get(current(), name) as unknown });
}

function watched(personal: PersonalSeals, onSealed: (text: string) => void): PersonalSeals {
  return {
    ...personal,
    async forWriting(subjects, deadlineMs) {
      const keys = await personal.forWriting(subjects, deadlineMs);
      const own: SubjectKeys = {
        isErased: (subject) => keys.isErased(subject),
        open: (type, subject, value) => keys.open(type, subject, value),
        seal: (type, subject, value) => {
          onSealed(JSON.stringify(value));
          return keys.seal(type, subject, value);
        },
      };
      return own;
    },
  };
}

function post(
  agent: Agent, port: number, path: string, authorization: string, body: string | Buffer,
): Promise<Pick<Outcome, 'status' | 'text'>> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const sending = request({
      agent, port, path, host: '127.0.0.1', method: 'POST',
      headers: {
        authorization, 'content-type': 'application/json', 'content-length': bytes.length,
      },
    }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => { text += chunk; });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(bytes);
  });
}
