import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import {
  authorizeShipment, type AuthorizeConfig,
} from '../../../services/gateways/authorization/operations/authorize-shipment.ts';
import { cancelShipment } from '../../../services/gateways/authorization/operations/cancel-shipment.ts';
import type { Answer, Operation } from '../../../services/kernel/http.ts';
import { callOf, written } from '../../support/calls.ts';
import { recordingPersonal, type RecordingPersonal } from '../../support/fake-personal.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { sha256 } from '../../support/state-facts.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

/** The answer of a call, as it goes out. */
export type AuthorizationAnswer = ReturnType<typeof written>;

/** Both operations on a log and a store in memory, as the HTTP adapter would call them. */
export interface CarrierInTest {
  readonly log: FakeRecordLog;
  readonly fake: MemoryStates;
  readonly opened: RecordingPersonal['opened'];
  readonly pass: (ms: number) => void;
  /** Changes the key that new tracking numbers are made with. */
  readonly rekey: (key: string) => void;
  /** Sends any body to the path of its own id; `path` names another shipment. */
  readonly authorize: (body: unknown, wishes?: { clientId?: string; path?: string }) =>
  Promise<AuthorizationAnswer>;
  readonly cancel: (body: unknown, wishes?: { clientId?: string; path?: string }) =>
  Promise<AuthorizationAnswer>;
}

const schemas = loadSchemas();

/** Opens a carrier with empty parts; time moves only by `pass` and by waiting. */
export function openCarrier(wishes: Partial<AuthorizeConfig> = {}): CarrierInTest {
  let nowMs = 1_764_000_000_000;
  const log = fakeRecordLog();
  const { personal, opened } = recordingPersonal();
  const fake = memoryStates(() => nowMs);
  let nonces = 0;
  let numberKey = 'first';
  const config: AuthorizeConfig = {
    raceWaitMsMax: 2_000, racePollMs: 10, carrierClientId: undefined,
    contractsRequiringAgency: [], ...wishes,
  };
  const ports = {
    log, states: fake.authorizations, shipments: fake.shipments,
    clock: { nowMs: () => nowMs },
    pause: async (ms: number) => { nowMs += ms; await new Promise(setImmediate); },
    ids: { ingestId: () => 'i', nonce: () => `n${nonces += 1}` }, personal, digest: sha256,
    numbers: (text: string) => sha256(`${numberKey} ${text}`),
  };
  const operations = {
    authorize: authorizeShipment(config, ports), cancel: cancelShipment(config, ports),
  };

  async function send(
    operation: Operation, body: unknown, { clientId, path }: { clientId?: string; path?: string },
  ): Promise<AuthorizationAnswer> {
    const id = path ?? String((body as { id?: unknown } | null)?.id);
    const answer = explained(operation, body) ?? await operation.handle(callOf({
      body, params: { shipment_id: id }, nowMs, ...(clientId === undefined ? {} : { clientId }),
    }));
    return written(operation, answer);
  }

  return {
    log, fake, opened,
    pass: (ms) => { nowMs += ms; },
    rekey: (key) => { numberKey = key; },
    authorize: (body, more = {}) => send(operations.authorize, body, more),
    cancel: (body, more = {}) => send(operations.cancel, body, more),
  };
}

/** What the HTTP adapter does with a body that its schema refuses. */
function explained(operation: Operation, body: unknown): Answer | undefined {
  const refusal = schemas.checkOf(operation.bodySchema ?? '')(body)?.();
  if (refusal === undefined) return undefined;
  return { kind: 'refusal', ...operation.explain?.(body, refusal) ?? refusal };
}

/** A copy of a body with one place changed; `undefined` takes it away. */
export function without(body: unknown, place: string, value?: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = place.split('.');
  const last = names.pop() ?? '';
  let node = copy;
  for (const name of names) node = node[name] as Record<string, unknown>;
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy;
}
