import { el } from './elements.ts';
import { TEXTS } from './texts.ts';

/** How the colours may be. */
export type Theme = 'light' | 'dark';

/** What a person wishes: one theme, or that of the system. */
type ThemeWish = keyof typeof TEXTS.themes;

const KEY = 'rastro.theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const reactions = new Set<(theme: Theme) => void>();

/** The theme of now. */
export function themeNow(): Theme {
  const wish = wishNow();
  if (wish !== 'auto') return wish;
  return systemIsDark.matches ? 'dark' : 'light';
}

/** Calls `react` with each change of the theme, until `leaving` is aborted. */
export function onTheme(react: (theme: Theme) => void, leaving: AbortSignal): void {
  reactions.add(react);
  leaving.addEventListener('abort', () => { reactions.delete(react); });
}

/** The choice of a theme; what is chosen is kept in this browser. */
export function themeChoice(): HTMLElement {
  const choice = el('select', {
    'aria-label': TEXTS.theme,
    'onchange': () => {
      localStorage.setItem(KEY, choice.value);
      apply();
    },
  }, ...Object.entries(TEXTS.themes).map(([value, text]) => (
    el('option', { value, selected: value === wishNow() }, text)
  )));
  return choice;
}

/** Gives the page the theme of now, and goes with the system from then on. */
export function startTheme(): void {
  systemIsDark.addEventListener('change', apply);
  apply();
}

function apply(): void {
  const theme = themeNow();
  document.documentElement.dataset['theme'] = theme;
  for (const react of reactions) react(theme);
}

function wishNow(): ThemeWish {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}
