import { openOperator } from '../../../services/cli/assemble.ts';
import { consoleCommand } from '../../../services/cli/console/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { LocalStack } from '../processes/local-stack.ts';

/** A link that signs one browser in to this platform as its operator, within ten minutes. */
export async function consoleLink(
  { operator, url }: Pick<LocalStack, 'operator' | 'url'>,
): Promise<string> {
  const { ports, close } = await openOperator(operator, silentSignals);
  try {
    const { value } = await consoleCommand(ports, ['link', '--operator', '--url', url]);
    return (value as { readonly link: string }).link;
  } finally {
    await close();
  }
}
