import type { OverflowBody, OverflowDecision } from '../../../../schemas/generated/types.ts';
import { ask, type GatewayReply } from './ask.ts';
import { el } from './elements.ts';
import { moveBody, type MoveWords } from './overflow.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const { overflow: WORDS } = TEXTS;

/** What the panel of a move needs of its page. */
export interface MoveAround {
  readonly leaving: AbortSignal;
  readonly signedOut: () => void;
  readonly onDone: () => Promise<void>;
}

/** A move into overflow or out of it: first a dry run, then the move itself. */
export function movePanel(
  address: string, decision: OverflowDecision | undefined, around: MoveAround,
): HTMLElement {
  const [kind = 'provider', name = ''] = decision?.subject.split(/:(.*)/s) ?? [];
  const fields = {
    kind: choice(WORDS.kinds, kind),
    name: el('input', { required: true, value: name, autocomplete: 'off' }),
    state: choice(WORDS.ways, decision?.state === 'in' ? 'out' : 'in'),
    minutes: choice(WORDS.spans, ''),
    reason: el('input', { required: true, maxlength: 200, pattern: '.*\\S.*', autocomplete: 'off' }),
  };
  const tried = el('div', { 'aria-live': 'polite' });
  const form = el('form', {
    onsubmit: (event) => {
      event.preventDefault();
      void tryMove();
    },
    // What was tried is not what is moved once a word of it is another.
    oninput: () => { tried.replaceChildren(); },
  },
  labelled(WORDS.kind, fields.kind), labelled(WORDS.name, fields.name),
  labelled(WORDS.way, fields.state), labelled(WORDS.span, fields.minutes),
  labelled(TEXTS.reason, fields.reason),
  el('p', {}, TEXTS.reasonHow), el('button', {}, TEXTS.dryRun));
  return el('section', {}, el('h2', {}, WORDS.move), form, tried);

  function words(): MoveWords {
    return {
      kind: fields.kind.value as MoveWords['kind'], name: fields.name.value,
      state: fields.state.value as MoveWords['state'], minutes: fields.minutes.value,
      reason: fields.reason.value,
    };
  }

  async function tryMove(): Promise<void> {
    const body = moveBody(words());
    tried.replaceChildren(el('p', {}, TEXTS.finding));
    const reply = await post(`${address}/dry_run`, body);
    if (reply === undefined) return;
    if (!reply.ok) {
      tried.replaceChildren(el('p', {}, TEXTS.refused(reply.detail)));
      return;
    }
    const button = el('button', {
      type: 'button',
      onclick: () => {
        button.disabled = true;
        void move(body);
      },
    }, body.state === 'in' ? WORDS.in : WORDS.out);
    tried.replaceChildren(el('p', {}, WORDS.would(body.subject, body.state, body.minutes)), button);
    button.focus();
  }

  async function move(body: OverflowBody): Promise<void> {
    const reply = await post<OverflowDecision>(address, body);
    if (reply === undefined) return;
    const text = reply.ok ? doneText(reply.body) : TEXTS.refused(reply.detail);
    tried.replaceChildren(el('p', { role: 'status' }, text));
    if (reply.ok) await around.onDone();
  }

  /** Undefined where the page was left. */
  async function post<Body>(
    to: string, body: OverflowBody,
  ): Promise<GatewayReply<Body> | undefined> {
    const reply = await ask<Body>(to, {
      method: 'POST', signal: around.leaving, headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    if (reply === undefined || around.leaving.aborted) return undefined;
    if (!reply.ok && reply.status === 401) around.signedOut();
    return reply;
  }
}

function doneText({ subject, state, until }: OverflowDecision): string {
  return WORDS.done(subject, state, until === undefined ? undefined : timeText(Date.parse(until)));
}

function choice(
  options: Readonly<Record<string, string>>, chosen: string,
): HTMLSelectElement {
  return el('select', {}, ...Object.entries(options).map(([value, text]) => (
    el('option', { value, selected: value === chosen }, text))));
}

function labelled(text: string, field: HTMLElement): HTMLElement {
  return el('label', {}, `${text} `, field);
}
