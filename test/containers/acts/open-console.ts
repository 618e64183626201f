import { COMPOSE, edit } from '../product.ts';
import type { Act, ActFinding, ContainerStage } from './act.ts';
import { bringUp } from './bring-up.ts';
import { DEVICES } from './compose.ts';

/** The console by the link that the README of the compose file has one make. */
export const openConsole: Act = {
  name: 'console',
  does: 'signs a browser in by a link of the command line; the map gets every device',
  run: open,
  offences: [{
    name: 'the live feeds are not served',
    async seed(stage) {
      const undo = edit(stage.product, {
        file: COMPOSE, text: 'main.ts, all, live]', instead: 'main.ts, all]',
      });
      return async () => {
        undo();
        await bringUp(stage);
      };
    },
    said: /0 of 20 devices/,
  }],
};

interface Opened {
  readonly page: string;
  readonly isOpen: boolean;
  readonly again: number;
  readonly devices: number;
}

async function open(stage: ContainerStage): Promise<ActFinding> {
  await bringUp(stage);
  const said = await stage.compose([
    'run', '--rm', '--no-TTY', 'rastro', 'console', 'link', '--operator',
    '--url', 'http://localhost:8080',
  ]);
  const [link = 'no link'] = /http:\S+#link=\S+/.exec(said) ?? [];
  if (!URL.canParse(link)) return { seen: link, complaints: [`no link: ${said}`] };
  const { page, isOpen, again, devices } = await stage.inside<Opened>(
    'open-console.ts', { link, devices: DEVICES });
  const seen = `${devices} of ${DEVICES} devices`;
  return {
    seen: `the page answers ${page}; the map gets ${seen}; the link opened again gives ${again}`,
    complaints: [
      ...(page.startsWith('200 text/html') ? [] : [`the page answers ${page}`]),
      ...(isOpen ? [] : ['the link opens no session']),
      ...(devices >= DEVICES ? [] : [`the map gets ${seen}`]),
      ...(again === 401 || again === 403 ? [] : [`the link opened again gives ${again}`]),
    ],
  };
}
