import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openViewExport } from '../../../services/adapters/clickhouse/view-export.ts';

let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => { response.writeHead(404).end(); });
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done); });
});
afterAll(() => { server.close(); });

it('an export says so when what answers is no ClickHouse, and refuses without a text', async () => {
  const history = openViewExport({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, user: 'a', password: 'b',
    database: 'tracking', requestMsMax: 5_000, sliceRowsMax: 1_000,
  });
  const question = { view: { name: 'v_trips', key: 'device_id' }, only: new Map(), isPlaced: false };
  await expect(history.columns(question)).rejects.toThrow(/^No ClickHouse answers at CLICKHOUSE_URL/);
  await history.close();
});
