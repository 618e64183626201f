import { startProvider } from './assemble.ts';
import { readConfig } from './config.ts';
import { createWallClock } from './time/wall-clock.ts';

/** Writes one line of JSON to standard output. */
function report(event: string, fields: object): void {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
}

/** Runs the provider until a signal, or drains after `--for` and goes on answering. */
async function main(): Promise<void> {
  const clock = createWallClock();
  const config = readConfig(process.env, process.argv.slice(2));
  const provider = await startProvider(config, clock);
  const leaving = new AbortController();
  report('provider_started', { url: provider.url, devices: config.devices, speed: config.speed });

  async function leave(): Promise<void> {
    if (leaving.signal.aborted) return;
    leaving.abort();
    await provider.drain();
    await provider.close();
    report('provider_ended', provider.status());
  }

  process.once('SIGTERM', () => void leave());
  process.once('SIGINT', () => void leave());
  if (config.runSeconds > 0) {
    await clock.wait(config.runSeconds * 1000, leaving.signal);
    await provider.finish();
    report('provider_drained', provider.status());
  }
}

await main();
