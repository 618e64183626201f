import { setImmediate } from 'node:timers/promises';
import type { Refusal, SentBody } from '../../../kernel/http.ts';
import { checkWritten } from '../../../kernel/schemas.ts';
import type { CallTools, StageEnding, RequestContext } from '../request-context.ts';
import { finish, finishInSteps } from '../../../kernel/steps.ts';
import type { JsonReading, JsonSteps } from '../json/read-json.ts';
import { isForm, mediaTypeFault } from '../request/media-type.ts';
import { readBody, unpackBody } from '../request/read-body.ts';
import { readForm } from '../request/read-form.ts';

/** The canonical bytes of a call without any. */
export const NOTHING = new Uint8Array(0);

/** What was sent with a call without a body. */
export const NO_BODY: SentBody = { value: undefined, texts: new Map() };

/** Stage `query`. */
export function checkQuery(_: CallTools, context: RequestContext): undefined {
  const { query } = context.routed;
  if (query.ok) context.query = query.query;
  else keep(context, () => query.refusal);
}

/** Stage `body`: takes the body off its connection. What it takes counts in `reservation`. */
export function receiveBody(
  { config }: CallTools, context: RequestContext,
): Promise<StageEnding | undefined> | undefined {
  const { mounted: { operation }, routed: { request } } = context;
  if (operation.bodyKind === 'none') return undefined;
  context.reservation.belongTo(context.clientId ?? '');
  const wrongType = mediaTypeFault(request, operation.bodyKind);
  if (wrongType === undefined) return receive(context, config.largeBodyBytesMin);
  keep(context, () => wrongType);
  return undefined;
}

async function receive(
  context: RequestContext, unpackedAtOnceMax: number,
): Promise<StageEnding | undefined> {
  const { routed: { request }, mounted: { operation }, reservation } = context;
  const reading = await readBody(request, operation.bodyBytesMax, unpackedAtOnceMax, reservation);
  if (reading.kind === 'gone') return 'gone';
  if (reading.kind === 'packed') context.packed = reading.packed;
  else takeBytes(context, reading);
  return undefined;
}

/** Unpacks a body that was left packed until it was its turn among large ones. */
export async function unpackLargeBody(context: RequestContext): Promise<undefined> {
  const { packed, mounted: { operation }, reservation } = context;
  if (packed === undefined) return;
  context.packed = undefined;
  context.stage = 'body';
  takeBytes(context, await unpackBody(packed, operation.bodyBytesMax, reservation));
}

function takeBytes(
  context: RequestContext, reading: Awaited<ReturnType<typeof unpackBody>>,
): void {
  if (reading.kind === 'bytes') context.bytes = withoutByteOrderMark(reading.bytes);
  else keep(context, () => reading.refusal);
}

/** .NET and Windows tools begin UTF-8 with a mark; readers may ignore it (RFC 8259, 8.1). */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/**
 * Bodies above this are read in steps between which other calls have their turn. Below it a turn
 * of the event loop would cost as much as it gives.
 */
const READ_AT_ONCE_BYTES_MAX = 65_536;

/** Stage `json`: scans the body where its operation needs only a summary, else reads it exactly. */
export function parseBody(
  { readInSteps, ports }: CallTools, context: RequestContext,
): undefined | Promise<undefined> {
  const { mounted: { operation }, bytes, routed: { request } } = context;
  if (bytes === undefined || operation.bodyKind === 'none') return undefined;
  if (operation.summary !== undefined) {
    const scanned = operation.summary.scan?.(bytes);
    ports.signals.bodyScanned({
      operation: operation.id, outcome: scanned === undefined ? 'exact' : 'taken',
    });
    if (scanned !== undefined) {
      context.isScanned = true;
      context.body = scanned;
      context.canonical = scanned.canonical;
      return undefined;
    }
  }
  if (isForm(request, operation.bodyKind)) {
    const form = readForm(bytes);
    take(context, form.ok ? { ...form, canonical: NOTHING, sent: NO_BODY } : form);
    return undefined;
  }
  const steps = readInSteps(bytes, operation);
  if (bytes.length > READ_AT_ONCE_BYTES_MAX) return readWithPauses(context, steps);
  take(context, finish(steps));
  return undefined;
}

async function readWithPauses(context: RequestContext, steps: JsonSteps): Promise<undefined> {
  take(context, await finishInSteps(steps, setImmediate));
}

function take(context: RequestContext, reading: JsonReading): void {
  const { mounted: { operation }, bytes } = context;
  if (!reading.ok) {
    keep(context, () => reading.refusal);
    return;
  }
  context.value = reading.value;
  context.sent = reading.sent;
  context.canonical = operation.keepsNumbers === true && bytes !== undefined
    ? bytes
    : reading.canonical;
}

/** Stage `schema`. */
export function checkSchema(_: CallTools, context: RequestContext): undefined {
  const { mounted: { operation, check }, value, sent, bytes, isScanned } = context;
  if (bytes === undefined || isScanned) return;
  const explain = operation.keepsNumbers !== true
    ? check?.(value) : check && checkWritten(check, value, sent.value);
  if (explain === undefined) {
    context.body = operation.summary === undefined ? value : operation.summary.summarize(value);
  } else {
    keep(context, () => (
      withMediaHint(context, operation.explain?.(value, explain()) ?? explain())));
  }
}

const OPEN_OBJECT = 0x7b;

/** A form whose first character is that of JSON was given the wrong content type. */
function withMediaHint({ mounted, routed, bytes }: RequestContext, refusal: Refusal): Refusal {
  const { bodyKind } = mounted.operation;
  const isJson = bodyKind !== 'none' && bytes?.[0] === OPEN_OBJECT
    && isForm(routed.request, bodyKind);
  if (!isJson) return refusal;
  const hint = 'The body looks like JSON; Content-Type says that it is a form.';
  return { ...refusal, detail: `${hint} ${refusal.detail}` };
}

/** Keeps a refusal until it is known whether the caller may have it. */
function keep(context: RequestContext, explain: () => Refusal): void {
  context.refused = { stage: context.stage, explain };
}
