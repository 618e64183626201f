import { gzipSync } from 'node:zlib';
import type { PlatformCallWishes, PlatformReply } from '../platform-calls.ts';
import { eventually, type OpenedGateway, type TestEnv } from '../platform.ts';
import type { Cast } from './cast.ts';
import { at, differences, jsonOf, unlike } from './match.ts';
import type { ExampleParties } from './parties.ts';
import { callRaw } from './raw-call.ts';
import type {
  CallStep, ClientStep, Example, ExampleStep, PartStep, PartyStep, QueryStep, RawStep,
} from './read-examples.ts';
import { fill, type Variables } from './variables.ts';

/** What examples run on. */
export interface ExampleStage {
  readonly platform: TestEnv;
  /** Gateways with settings of their own, by these as JSON. */
  readonly gateways: Map<string, Promise<OpenedGateway>>;
  readonly cast: Cast;
  readonly parties: ExampleParties;
}

/** Plays an example; throws with what was other than it says. */
export async function runExample(stage: ExampleStage, example: Example): Promise<void> {
  const variables = await stage.cast.begin(example.given ?? {});
  await stage.parties.introduce(variables);
  for (const [i, step] of example.steps.entries()) {
    const found = await play(stage, variables, step);
    if (found.length === 0) continue;
    throw new Error([`Step ${i + 1}: ${nameOf(step)}`, ...found].join('\n  '));
  }
}

function nameOf(step: ExampleStep): string {
  return String(Object.values(step)[0]);
}

function play(
  stage: ExampleStage, variables: Variables, step: ExampleStep,
): Promise<readonly string[]> {
  if ('call' in step) return playCall(stage, variables, step);
  if ('raw' in step) return playRaw(stage, variables, step);
  if ('part' in step) return playPart(stage.platform, step);
  if ('client' in step) return playClient(stage.platform, variables, step);
  if ('party' in step) return playParty(stage.parties, variables, step);
  return playQuery(stage.platform, variables, step);
}

async function playCall(
  stage: ExampleStage, variables: Variables, step: CallStep,
): Promise<readonly string[]> {
  const gateway = await gatewayOf(stage, step);
  const [method = '', bare = ''] = fill(step.call, variables).split(/ (.*)/);
  const parameters = new URLSearchParams(fill(step.parameters ?? {}, variables));
  const path = step.parameters === undefined ? bare : `${bare}?${parameters.toString()}`;
  const wishes = await wishesOf(stage.cast, variables, step, `${method} ${path}`);
  const answer = fill(step.answer, variables);
  let reply: PlatformReply | undefined;
  let found: readonly string[] = [];
  async function once(): Promise<boolean> {
    reply = await gateway.call(path, { ...wishes, method });
    found = differences(answer, reply);
    return found.length === 0;
  }
  if (step.until === true) await eventually(step.call, once).catch(() => undefined);
  for (let i = 0; step.until !== true && i < (step.times ?? 1); i += 1) await once();
  for (const [name, place] of Object.entries(step.save ?? {})) {
    variables.set(name, place.startsWith('/')
      ? at(jsonOf(reply?.text ?? ''), place) : reply?.headers.get(place));
  }
  return found;
}

function gatewayOf(
  { platform, gateways }: ExampleStage, { gateway }: CallStep,
): Promise<Pick<OpenedGateway, 'call'>> | Pick<OpenedGateway, 'call'> {
  if (gateway === undefined) return platform;
  const key = JSON.stringify(gateway);
  const open = gateways.get(key)
    ?? platform.openGateway(`gateway-${gateways.size + 3}`, ['all'], gateway);
  gateways.set(key, open);
  return open;
}

async function wishesOf(
  cast: Cast, variables: Variables, step: CallStep, call: string,
): Promise<PlatformCallWishes> {
  const { as = 'provider', token, body, text, base64 } = step;
  const known = variables.get(`${as}.who`);
  const who = typeof known === 'string' ? known : as;
  const authorization = token === undefined
    ? await cast.authorization(who, call, step) : `Bearer ${fill(token, variables)}`;
  const json = body === undefined ? undefined : JSON.stringify(fill(body, variables));
  const bytes = base64 === undefined
    ? text === undefined ? json : fill(text, variables)
    : Buffer.from(base64, 'base64');
  const sent = step.gzip === true && bytes !== undefined ? gzipSync(bytes) : bytes;
  return {
    body: sent,
    headers: {
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(step.gzip === true ? { 'content-encoding': 'gzip' } : {}),
      ...(authorization === undefined ? {} : { authorization }),
      ...fill(step.headers ?? {}, variables),
    },
  };
}

async function playRaw(
  { platform, cast }: ExampleStage, variables: Variables, { raw, as = 'provider', answer }: RawStep,
): Promise<readonly string[]> {
  const [first = ''] = raw;
  const authorization = await cast.authorization(as, fill(first, variables), {});
  variables.set('authorization', authorization ?? '');
  const reply = await callRaw(platform.urls[0], fill(raw, variables));
  return differences(answer, reply);
}

async function playPart(platform: TestEnv, { part, goes }: PartStep): Promise<readonly string[]> {
  const parts = {
    'log': platform.kafka, 'state store': platform.redis, 'projectors': platform.projectors,
  };
  if (goes === 'blank') await platform.raw.flushall();
  else if (goes === 'away') await parts[part].stop();
  else await parts[part].start();
  return [];
}

async function playClient(
  platform: TestEnv, variables: Variables, { client }: ClientStep,
): Promise<readonly string[]> {
  await platform.clientCommand(...fill(client, variables));
  return [];
}

async function playParty(
  parties: ExampleParties, variables: Variables, { party, answers, saw }: PartyStep,
): Promise<readonly string[]> {
  if (answers !== undefined) parties.answer(party, fill(answers, variables));
  const expected = fill(saw ?? [], variables);
  for (const call of expected) {
    await eventually(`A call at the ${party}: ${JSON.stringify(call)}`,
      () => parties.calls(party).some((seen) => unlike(call, seen, 'call').length === 0));
  }
  return [];
}

async function playQuery(
  platform: TestEnv, variables: Variables, { query, rows }: QueryStep,
): Promise<readonly string[]> {
  const sql = fill(query, variables);
  const expected = fill(rows, variables);
  await eventually(`${sql} to give ${JSON.stringify(expected)}`, async () => (
    unlike(expected, await platform.query(sql), 'rows').length === 0
  ));
  return [];
}
