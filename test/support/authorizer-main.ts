import { runAuthorizer, type AuthorizerSpec } from './authorizer-run.ts';

// An authorizer in a process of its own, so that a test can kill it: node authorizer-main.ts SPEC
await runAuthorizer(JSON.parse(process.argv[2] ?? '') as AuthorizerSpec);
// When its end of the pipe closes, the process that started this one is dead.
process.stdin.resume().on('end', () => process.exit(0));
