import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPushEdge } from './test/support/push-edge.ts';
const kinds: Record<string, string> = {
  oneText: JSON.stringify([{ tracking_number: 'G-1', code: 'EX-HUB', carrier_code: 'H', payload: { date: '2026-11-20T10:00:00Z' }, ours: 'x'.repeat(6_289_000) }]),
  unknown: JSON.stringify([{ tracking_number: 'G-2', code: 'EX-HUB', carrier_code: 'H', payload: { date: '2026-11-20T10:00:00Z' }, ...Object.fromEntries(Array.from({length:1500},(_, n)=>[`u_${n}`, 'x'.repeat(500)])) }]),
  values: JSON.stringify([{ tracking_number: 'G-3', code: 'EX-HUB', carrier_code: 'H', payload: { date: '2026-11-20T10:00:00Z' }, v: Array.from({length:140000},(_, n)=>n) }]),
  many: JSON.stringify(Array.from({length:500},(_, n)=>({ tracking_number: 'G-4'+n, code: 'EX-HUB', carrier_code: 'H', payload: { date: '2026-11-20T10:00:00Z' }, ours: 'y'.repeat(10000) }))),
  tooMany: JSON.stringify({ v: Array.from({length:500000},(_, n)=>0) }),
};
const only = process.argv[2];
const edge = await openPushEdge();
edge.reset();
for (const [name, body] of Object.entries(kinds)) {
  if (only !== undefined && only !== name) continue;
  for (let i = 0; i < 4; i += 1) {
    const h = monitorEventLoopDelay({ resolution: 1 });
    h.enable();
    const cpu = process.cpuUsage();
    const r = await fetch(edge.edge.url + '/shipping/tracking/notifications', { method: 'POST', body, headers: { authorization: `Bearer 00${'t'.repeat(43)}`, 'content-type': 'application/json' } });
    await r.text();
    const used = process.cpuUsage(cpu);
    await new Promise((res) => setTimeout(res, 50));
    h.disable();
    console.log(name, body.length, r.status, 'max stall ms', (h.max / 1e6).toFixed(1), 'cpu ms', ((used.user + used.system) / 1e3).toFixed(0));
  }
}
await edge.edge.close();
process.exit(0);
