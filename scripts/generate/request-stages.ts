import { STAGES, type RequestStage } from '../../services/adapters/http/stages.ts';

/** The stages of a request as the gateways list them: what is done, in order. */
export function stageList(): readonly string[] {
  return STAGES.map(({ name, does }, index) => `${index + 1}. **${name}**: ${does}.`);
}

/** The stages of a request as the HTTP adapter lists them: with the codes that each may give. */
export function stageTable(): readonly string[] {
  return [
    '| Stage | Works on | Codes that it may give |',
    '|---|---|---|',
    ...STAGES.map(({ name, kind, refuses }) => `| ${name} | ${kind} | ${codesText(refuses)} |`),
  ];
}

function codesText(codes: RequestStage['refuses']): string {
  return codes.length === 0 ? '—' : codes.map((code) => `\`${code}\``).join(', ');
}
