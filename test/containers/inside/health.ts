/** What gateways and workers answer about themselves. */
import { answer } from './answer.ts';

const ADDRESSES = ['9080', '9081'].flatMap((port) => (
  ['healthz', 'readyz', 'metrics'].map((path) => `http://127.0.0.1:${port}/${path}`)));

await answer(async () => Object.fromEntries(await Promise.all(ADDRESSES.map(async (address) => (
  [address, await fetch(address).then(({ status }) => status, () => 0)] as const)))));
