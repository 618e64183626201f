import { run } from '../../infra/local/command.ts';

const GIT_MS_MAX = 20_000;
const PRODUCT = ['services', 'schemas', 'infra/clickhouse'];

/** The release before this tree: the last tag, or without one the commit before the last change. */
export async function earlierCommit(root: string): Promise<string> {
  const limits = { cwd: root, deadlineMs: GIT_MS_MAX };
  const tag = await run('git', ['describe', '--tags', '--abbrev=0'], limits)
    .then((text) => text.trim(), () => ''); // No tag yet.
  if (tag !== '') return tag;
  const commits = await run('git', ['log', '-2', '--format=%h', '--', ...PRODUCT], limits);
  const before = commits.trim().split('\n').at(1);
  if (before === undefined) throw new Error('There is no earlier release: name one by --earlier.');
  return before;
}
