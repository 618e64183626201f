import { firstToken } from '../../infra/local/processes/first-token.ts';
import type { LocalStack } from '../../infra/local/processes/local-stack.ts';
import type { LoadSender } from './load/order.ts';

const AT_ONCE = 32;

/** Registers so many devices of a name over HTTP and starts them, as a provider would. */
export async function readySenders(
  local: LocalStack, devices: number, name: string,
): Promise<readonly LoadSender[]> {
  const { url, identity: { country } } = local;
  const token = await firstToken(local);
  const senders = new Array<LoadSender>(devices);
  const numbers = Array.from({ length: devices }, (_, at) => at);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let at = numbers.pop(); at !== undefined; at = numbers.pop()) {
      const { id } = await post(url, `/shipping/rtt/devices?country_id=${country}`, token, {
        external_entity: { entity_id: `${name}-${at}`, entity_type: 'truck' },
        transport: { id: at + 1 },
        device_specs: { device_type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'E1' },
      });
      const deviceId = String(id);
      const start = `/shipping/rtt/devices/${deviceId}/start_tracking?country_id=${country}`;
      await post(url, start, token, undefined);
      senders[at] = { deviceId, token };
    }
  }));
  return senders;
}

async function post(
  url: string, path: string, token: string, body: object | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return await answer.json() as Record<string, unknown>;
}
