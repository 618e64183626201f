import { gunzipSync } from 'node:zlib';
import { createReadJson } from '../../../services/adapters/http/json/read-json.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import {
  KNOWN, refuse, type ReceivedRequest, type ReceiverAnswer, type ReceiverMemory,
  type ReceiverRoute, type RouteCall,
} from './receiver.ts';

const FORM = 'application/x-www-form-urlencoded';
const MEBIBYTE = 1_048_576;
const COUNTRIES = new Set(['UY', 'BR', 'US']);

/** What has been read of a request so far: a value, or the refusal that ends it. */
type Read<Value> = { readonly value: Value } | { readonly refused: ReceiverAnswer };

/** Makes the right answer to any request: token, provider, country, body, then the route itself. */
export function createHandle(
  routes: readonly ReceiverRoute[],
): (asked: ReceivedRequest, memory: ReceiverMemory) => ReceiverAnswer {
  const readJson = createReadJson();
  const schemas = loadSchemas();

  function bodyOf(route: ReceiverRoute, asked: ReceivedRequest): Read<RouteCall['body']> {
    const refused = (code: string) => ({ refused: refuse(route.form, 400, code) });
    if (route.form === 'revoke') return formOf(asked);
    if (route.schema === undefined) return { value: {} };
    if (route.form === 'token' && asked.headers['content-type'] === FORM) {
      const sent = Object.fromEntries(new URLSearchParams(asked.bytes.toString()));
      const isWrong = schemas.checkOf(route.schema)(sent) !== undefined;
      return isWrong ? refused('invalid_request') : { value: sent };
    }
    if (!/^application\/json\b/.test(asked.headers['content-type'] ?? '')) {
      return refused('invalid_request_information.content_type');
    }
    const bytes = unpacked(asked);
    if (bytes === undefined || bytes.length > MEBIBYTE) return refused('payload_too_large');
    const reading = readJson(bytes);
    if (!reading.ok) return refused('invalid_request_information.json');
    const explain = schemas.checkOf(route.schema)(reading.value);
    if (explain === undefined) return { value: reading.value as RouteCall['body'] };
    const { code, errors = [] } = explain();
    return { refused: refuse(route.form, 400, code, errors, errorCodeOf(errors, reading.value)) };
  }

  return function handle(asked, memory) {
    const found = routes.map((route) => ({
      route, match: route.pattern.exec(`${asked.method} ${asked.path}`),
    })).find(({ match }) => match !== null);
    if (found === undefined) return refuse('problem', 404, 'not_found');
    const { route, match } = found;
    const params = (match ?? []).slice(1);
    const denied = denialOf(route, asked, memory, params);
    if (denied !== undefined) return denied;
    if (route.needsCountry === true && !COUNTRIES.has(asked.query['country_id'] ?? '')) {
      return refuse(route.form, 400, 'invalid_parameter');
    }
    const body = bodyOf(route, asked);
    if ('refused' in body) return body.refused;
    const { query, headers } = asked;
    return route.handle({ params, query, headers, body: body.value, memory });
  };
}

function denialOf(
  route: ReceiverRoute, asked: ReceivedRequest, memory: ReceiverMemory, params: readonly string[],
): ReceiverAnswer | undefined {
  if (route.audience === undefined) return undefined;
  const presented = /^Bearer (\S+)$/.exec(asked.headers['authorization'] ?? '')?.[1] ?? '';
  const [bad, other] = route.denials;
  const code = (status: number): string => status === 401 ? 'unauthorized' : 'forbidden';
  if (route.audience === 'command') {
    return presented === KNOWN.commandToken ? undefined : refuse(route.form, bad, code(bad));
  }
  const token = memory.tokens.get(presented);
  if (token === undefined || token.revoked) return refuse(route.form, bad, code(bad));
  if (token.audience !== route.audience) return refuse(route.form, other, code(other));
  const client = asked.headers['x-client-id'] ?? KNOWN.clientId;
  if (client !== KNOWN.clientId) return refuse(route.form, other, code(other));
  if (route.provider === true && params[0] !== KNOWN.provider) {
    return refuse(route.form, other, code(other));
  }
  return undefined;
}

function formOf(asked: ReceivedRequest): Read<RouteCall['body']> {
  const isForm = asked.headers['content-type'] === FORM;
  const token = isForm ? new URLSearchParams(asked.bytes.toString()).get('token') : null;
  return token === null
    ? { refused: refuse('revoke', 400, 'missing_parameter') }
    : { value: { token, header: asked.headers['authorization']?.slice(7) } };
}

function unpacked(asked: ReceivedRequest): Buffer | undefined {
  if (asked.headers['content-encoding'] !== 'gzip') return asked.bytes;
  try {
    return gunzipSync(asked.bytes);
  } catch {
    return undefined;
  }
}

/** The table of error codes of an authorization, as far as the kit asks for it. */
function errorCodeOf(errors: readonly { pointer: string }[], body: unknown): string {
  const isReturn = (body as { direction?: unknown } | null)?.direction === 'return';
  const pointer = errors[0]?.pointer ?? '';
  if (pointer.endsWith('/receiver')) return side(!isReturn);
  if (pointer.endsWith('/sender')) return side(isReturn);
  if (pointer.endsWith('/items')) return 'invalid_package_information.items';
  return 'invalid_request_information.form';
}

function side(isBuyer: boolean): string {
  return `invalid_user_information.${isBuyer ? 'buyer' : 'seller'}`;
}
