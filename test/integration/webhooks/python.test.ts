import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webhookSecret } from '../../../services/domain/webhook/message.ts';
import { PYTHON_MS_MAX, runPythonWith } from '../../support/analyst-python.ts';
import { createWebhookEnv, SECRET } from '../../support/webhook-env.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/reference/webhooks.md');
const PACKAGES = { name: 'webhooks', requirements: join(import.meta.dirname, 'requirements.txt') };
const OTHER = webhookSecret(Buffer.alloc(32, 8).toString('base64url'));

/** The page's lines for a receiver in Python, between what it is handed and what it says. */
function receiver(): string {
  const lines = /```py\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1];
  if (lines === undefined) throw new Error('The page has no lines in Python.');
  return `import json, sys\nsecret, body, headers = json.loads(sys.argv[1])\n${lines}
print(json.dumps(fact))`;
}

describe('a post of a webhook', () => {
  it('is verified by the Python library of Standard Webhooks, as the page writes it', async () => {
    const env = createWebhookEnv();
    env.nowMs = Date.now();
    const id = env.add('RST1');
    await env.begin();
    await env.untilQuiet();
    const [post] = env.posts;
    const body = Buffer.from(post?.body ?? []).toString();
    const verified = (secret: string, sent: string): Promise<string> => runPythonWith(
      PACKAGES, ['-c', receiver(), JSON.stringify([secret, sent, post?.headers])],
    );
    expect(JSON.parse(await verified(SECRET, body))).toMatchObject({
      type: 'journey', data: { record_id: id, fact: { tracking_number: 'RST1' } },
    });
    await expect(verified(SECRET, body.replace('RST1', 'RST2'))).rejects.toThrow('No matching signature');
    await expect(verified(OTHER, body)).rejects.toThrow('No matching signature');
  }, PYTHON_MS_MAX);
});
