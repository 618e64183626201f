import { ask } from './ask.ts';
import { el } from './elements.ts';
import type { Around } from './page.ts';
import { loadParts, table } from './parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';
import { createTrackView } from './track-view.ts';

interface Command {
  readonly command: string;
  readonly state: string;
  readonly attempts: number;
  readonly issued_at: string;
  readonly last_status?: number;
  readonly last_reason?: string;
}

const DAYS_30_MS = 30 * 86_400_000;

/** One device: its track, what is known of it with its lifecycle, and commands about it. */
export async function devicePage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses, rest: id, leaving } = around;
  const track = addresses.track(id);
  const known = el('div', { class: 'text' });
  main.replaceChildren(
    el('div', { class: 'head' }, el('h1', {}, `${TEXTS.device} ${id}`),
      el('a', { href: `#/fleet/${encodeURIComponent(id)}` }, TEXTS.onMap)),
    ...track === undefined ? [] : [createTrackView(id, track, around)], known);
  const parts = await loadParts([
    { title: TEXTS.state, address: addresses.device(id) },
    { title: TEXTS.lastPosition, address: addresses.deviceFix(id) },
    {
      title: TEXTS.commands, address: await commandsAddress(around).catch(() => undefined),
      show: commandsView,
    },
  ], leaving).catch(() => []);
  if (!leaving.aborted) known.replaceChildren(...parts);
}

/** Commands are about transports, and the device says which one is its own. */
async function commandsAddress({ addresses, rest, leaving }: Around): Promise<string | undefined> {
  const address = addresses.device(rest);
  if (address === undefined || addresses.commands('') === undefined) return undefined;
  const asked = await ask<{ readonly transport?: { readonly id?: number | string } }>(
    address, { signal: leaving },
  );
  const transport = asked.ok ? asked.body.transport?.id ?? 0 : 0;
  if (transport === 0) return undefined;
  const since = encodeURIComponent(new Date(Date.now() - DAYS_30_MS).toISOString());
  return `${addresses.commands(String(transport)) ?? ''}&since=${since}&limit=100`;
}

function commandsView({ commands }: { readonly commands: readonly Command[] }): HTMLElement {
  if (commands.length === 0) return el('p', {}, TEXTS.noCommands);
  const heads = [TEXTS.issued, TEXTS.command, TEXTS.state, TEXTS.attempts, TEXTS.lastResult];
  return table(TEXTS.commands, heads, commands.map((each) => [
    timeText(Date.parse(each.issued_at)), each.command.replaceAll('_', ' '), each.state,
    String(each.attempts), [each.last_status, each.last_reason].filter((part) => part !== undefined).join(' '),
  ]));
}
