/** What gateways and workers answer about themselves, and a live feed to a stranger. */
import { answer } from './answer.ts';

const ADDRESSES = [
  ...['9080', '9081'].flatMap((port) => (
    ['healthz', 'readyz', 'metrics'].map((path) => `http://127.0.0.1:${port}/${path}`))),
  'http://127.0.0.1:8080/platform/live/positions',
];

await answer(async () => Object.fromEntries(await Promise.all(ADDRESSES.map(async (address) => (
  [address, await fetch(address).then(({ status }) => status, () => 0)] as const)))));
