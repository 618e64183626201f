import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CODES } from '../../../services/kernel/codes.ts';
import openapi from '../../../schemas/generated/openapi.json' with { type: 'json' };
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

describe('the documentation that the gateways serve', () => {
  let at: WholeEdge;
  let page: string;
  let headers: Headers;
  beforeAll(async () => {
    at = await openWholeEdge();
    const response = await fetch(`${at.edge.url}/docs`);
    expect(response.status).toBe(200);
    headers = response.headers;
    page = await response.text();
  });
  afterAll(() => at.close());

  it('is public, as one page of HTML', () => {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toMatch(/^<!doctype html>/i);
    expect(page.trimEnd()).toMatch(/<\/html>$/);
  });

  it('names every operation with its method, and every status that it may answer', () => {
    for (const [path, item] of Object.entries(openapi.paths)) {
      expect(page).toContain(path.replaceAll('&', '&amp;'));
      for (const operation of Object.values(item) as { summary?: string; responses?: object }[]) {
        if (operation.summary === undefined) continue;
        expect(page).toContain(operation.summary);
        for (const status of Object.keys(operation.responses ?? {})) expect(page).toContain(status);
      }
    }
  });

  it('needs nothing from elsewhere: no script, no picture, no style, no frame', () => {
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|base|form|video|audio|source)\b/i);
    expect(page).not.toMatch(/\b(src|srcset|action|poster|data|background)\s*=\s*["']/i);
    expect(page).not.toMatch(/@import|url\(/i);
    expect(page).not.toMatch(/\bon[a-z]+\s*=\s*["']/i);
    for (const [, target = ''] of page.matchAll(/\bhref\s*=\s*["']([^"']*)["']/gi)) {
      expect(target).toMatch(/^(#|\/(?!\/))/);
    }
  });

  it('forbids the browser to load anything at all', () => {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has the one style that its policy lets in', async () => {
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(style));
    expect(headers.get('content-security-policy'))
      .toContain(`style-src 'sha256-${Buffer.from(digest).toString('base64')}'`);
    expect(page.match(/<style|style=/g)).toHaveLength(1);
  });

  it('has the page that the type of a problem names', async () => {
    const refused = await fetch(`${at.edge.url}/shipping/rtt/devices`, { method: 'PUT' });
    const problem = await refused.json() as { readonly type: string; readonly code: string };
    const named = await fetch(new URL(problem.type, refused.url));
    expect([problem.code, named.status]).toEqual(['method_not_allowed', 200]);
    expect(named.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'));
    expect(await named.text()).toContain('<h1><code>method_not_allowed</code></h1>');
  });

  it.each(Object.entries(CODES))('explains %s', async (code, { kind, meaning }) => {
    const text = await (await fetch(`${at.edge.url}/problems/${code}`)).text();
    for (const said of [meaning, kind]) expect(text).toContain(said);
  });

  it('has no page of a code that is none', async () => {
    const response = await fetch(`${at.edge.url}/problems/none`);
    expect([response.status, (await response.json() as { code: string }).code])
      .toEqual([404, 'route_not_found']);
  });

  it('gives the very document that is generated from the schemas', async () => {
    const response = await fetch(`${at.edge.url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const file = new URL('../../../schemas/generated/openapi.json', import.meta.url);
    expect(await response.text()).toBe(readFileSync(file, 'utf8'));
  });
});
