import { runDispatcher, type DispatcherSpec } from './dispatcher-run.ts';

// A dispatcher in a process of its own, so that a test can kill it: node dispatcher-main.ts SPEC
await runDispatcher(JSON.parse(process.argv[2] ?? '') as DispatcherSpec);
// Whoever started it has died when its end of the pipe closes.
process.stdin.resume().on('end', () => process.exit(0));
