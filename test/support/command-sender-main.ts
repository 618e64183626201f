import { runCommandSender, type CommandSenderSpec } from './command-sender-run.ts';

// A command sender in a process of its own, so that a test can kill it:
// node command-sender-main.ts SPEC
await runCommandSender(JSON.parse(process.argv[2] ?? '') as CommandSenderSpec);
// The process that started it has died when its end of the pipe closes.
process.stdin.resume().on('end', () => process.exit(0));
