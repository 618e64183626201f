import { mkdtempSync, rmSync, readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openTenancy } from './test/faults/run/tenancy.ts';
import { moveGuestIn } from './test/hostile/run/guest.ts';
import { clientCommand } from './services/cli/client/command.ts';
const dir = mkdtempSync('/tmp/rooms/scratch-a/rig-');
const N = Number(process.env.N ?? 12);
const { REDIS_DEFAULTS } = await import('./services/adapters/redis/config.ts');
const tenancy = await openTenancy(dir, 7, { gatewaySettings: { RASTRO_BYTES_PER_SECOND: '20971520', RASTRO_BYTES_BURST:'41943040' }, workerSettings: { RASTRO_INSERT_LINGER_MS: '800' } });
const { cluster, residents } = tenancy;
async function startProfile(pid) {
  process.kill(pid,'SIGUSR1'); await delay(1500);
  const [{ webSocketDebuggerUrl }] = await (await fetch('http://127.0.0.1:9229/json')).json();
  const ws = new WebSocket(webSocketDebuggerUrl); await new Promise(r=>ws.onopen=r); let id=0; const wait=new Map();
  ws.onmessage=(m)=>{ const d=JSON.parse(m.data); wait.get(d.id)?.(d.result); };
  const call=(method,params={})=>new Promise(r=>{ id+=1; wait.set(id,r); ws.send(JSON.stringify({id,method,params})); });
  await call('Runtime.evaluate',{expression:`(()=>{const {PerformanceObserver}=process.getBuiltinModule('node:perf_hooks'); globalThis.__gc={}; globalThis.__o?.disconnect(); globalThis.__o=new PerformanceObserver(l=>{for(const e of l.getEntries()){const k=e.detail.kind+'/'+e.detail.flags; const x=globalThis.__gc[k]??=[0,0]; x[0]+=1; x[1]+=e.duration;}}); globalThis.__o.observe({entryTypes:['gc']}); const h=process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({resolution:1}); h.enable(); globalThis.__h=h; return 1})()`});
  await call('Profiler.enable'); await call('Profiler.setSamplingInterval',{interval:200}); await call('Profiler.start');
  return async () => { const g = await call('Runtime.evaluate',{expression:'JSON.stringify([__gc, process.memoryUsage(), __h.max/1e6, __h.percentile(99.9)/1e6])'}); console.log('gc', g.result.value); const { profile } = await call('Profiler.stop'); ws.close(); return profile; };
}
function top(profile) {
  const self=new Map(); const byId=new Map(profile.nodes.map(n=>[n.id,n]));
  profile.samples.forEach((sid,i)=>{ const n=byId.get(sid); const f=n.callFrame; const k=f.functionName+' '+f.url.split('/').slice(-2).join('/')+':'+f.lineNumber; self.set(k,(self.get(k)??0)+profile.timeDeltas[i]/1000); });
  return [...self].sort((a,b)=>b[1]-a[1]).slice(0,28).map(([k,v])=>`   ${v.toFixed(0)} ms ${k}`).join('\n');
}
function procs() {
  const out = new Map();
  for (const pid of readdirSync('/proc')) { if (!/^\d+$/.test(pid)) continue;
    try { const cmd = readFileSync(`/proc/${pid}/cmdline`,'utf8').replaceAll('\0',' ');
      const mine = cmd.includes(dir) || Number(pid) === process.pid || [...cluster.processes.values()].some(p=>p.part.pid()===Number(pid));
      if (!mine) continue;
      const s = readFileSync(`/proc/${pid}/stat`,'utf8'); const f = s.slice(s.lastIndexOf(')')+2).split(' ');
      const own = [...cluster.processes.values()].find(p=>p.part.pid()===Number(pid));
      const name = own?.name ?? (Number(pid)===process.pid?'harness': cmd.includes('clickhouse-engine')?'clickhouse': cmd.includes('java')?'java '+pid : cmd.includes('redis')?'redis '+pid: cmd.slice(0,60));
      out.set(name, (out.get(name)??0) + (Number(f[11])+Number(f[12]))*10);
    } catch {} }
  return out; }
try {
  const moved = await moveGuestIn(cluster, 'http://127.0.0.1:9');
  await clientCommand(cluster.operator, ['set', residents.carrier.client_id, '--tracking-numbers', 'T-honest-']);
  const token = moved.guest.carrier.token; const url = cluster.gateways[0].url;
  const push = async (body, gz) => { const r = await fetch(url + '/shipping/tracking/notifications', { method:'POST', headers:{ authorization:`Bearer ${token}`, 'content-type':'application/json', ...(gz?{'content-encoding':'gzip'}:{}) }, body }); const text = await r.text(); return r.status===202?202:r.status+text.slice(0,200); };
  let n = 0; const idle = new Map();
  const note = (more) => ({ tracking_number:`G-${process.pid}-${n+=1}`, code:'EX-HUB', carrier_code:'H', payload:{ date:new Date().toISOString() }, ...more });
  const kinds = {
    idle: async () => { await delay(200); return 'idle'; },
    'x 6MB': () => push(gzipSync(JSON.stringify([note({ comment_of_ours: 'x'.repeat(6*1048576-2000) })])), true),
    'random 6MB': () => push(JSON.stringify([note({ comment_of_ours: randomBytes(4.4*1048576).toString('base64') })]), false),
    'image 6MB': () => push(JSON.stringify([note({ code:'0113', payload: { date:new Date().toISOString(), proof_of_delivery:{ receiver_document:{type:'CPF',number:'00000000191'}, receiver_name:'Ana', receiver_last_name:'Silva', receiver_relationship:'buyer', image: randomBytes(4.4*1048576).toString('base64') } } })]), false),
    'unknown 1500x500': () => push(JSON.stringify([note(Object.fromEntries(Array.from({length:1500},(_, i)=>[`unknown_${i}`,'x'.repeat(500)])))]), false),
    'squatted 50': () => push(JSON.stringify(Array.from({length:50},()=>note({ tracking_number:`T-honest-${n+=1}`, carrier_code:'SQUAT' }))), false),
    'own 50': () => push(JSON.stringify(Array.from({length:50},()=>note({}))), false),
  };
  const only = process.env.KINDS?.split(',') ;
  for (const [kind, send] of Object.entries(kinds)) {
    if (only && !only.some(k=>kind.startsWith(k))) continue;
    await send(); await send(); await delay(6000);
    const who = process.env.PROF; const stop = who && kind !== 'idle' ? await startProfile([...cluster.processes.values()].find(p=>p.name===who).part.pid()) : undefined;
    const before = procs(); const t0 = performance.now(); const answers = {};
    const reps = /50/.test(kind) && !/500/.test(kind) ? N*5 : N;
    let maxMs = 0;
    for (let i=0;i<reps;i++) { const b = performance.now(); const a = await send(); maxMs = Math.max(maxMs, performance.now()-b); answers[a]=(answers[a]??0)+1; }
    const t1 = performance.now(); await delay(9000); if (stop) console.log(kind, who, '\n'+top(await stop()));
    const after = procs(); let sum = 0; const rows = [];
    for (const [name, ms] of after) { let d = (ms-(before.get(name)??0))/reps; const span=(performance.now()-t0)/1000; if (kind==='idle') idle.set(name, d*reps/span); else d -= (idle.get(name)??0)*span/reps; sum += d; rows.push(`${name} ${d.toFixed(0)}`); }
    console.log(kind, JSON.stringify(answers), `ms/call ${((t1-t0)/reps).toFixed(0)} max ${maxMs.toFixed(0)} | CPU ms/call total ${sum.toFixed(0)}:`, rows.join(', '));
  }
} finally { await tenancy.close(); rmSync(dir,{recursive:true,force:true}); }
process.exit(0);
