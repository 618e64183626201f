import { escaped, folded, sentence, table } from './html.ts';
import { htmlPage } from './html-page.ts';
import {
  nameOf, shapeOf, type OpenApi, type OpenApiMedia, type OpenApiOperation,
} from './openapi.ts';

interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The whole document as one page of HTML: contents, operations by tag, shapes. */
export function interfacePage(document: OpenApi): string {
  const { title, version } = document.info;
  const routes = routesOf(document);
  const shapes = Object.entries(document.components.schemas).map(([name, schema]) =>
    `<div id="${shapeId(name)}">${folded(`<code>${escaped(name)}</code>`, schema)}</div>`);
  return htmlPage(escaped(title), [
    `<h1>${escaped(title)}</h1>`,
    `<p>Version ${escaped(version)}. The same for programs: `,
    '<a href="/openapi.json">openapi.json</a>. All else: <a href="/docs">documentation</a>.</p>',
    contents(document, routes),
    ...routes.map((location) => operationSection(document, location)),
    `<section><h2 id="shapes">Shapes</h2>${shapes.join('\n')}</section>`,
  ]);
}

function routesOf({ paths }: OpenApi): readonly DocumentedRoute[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [{ method: 'GET', path, operation: get }]),
    ...(post === undefined ? [] : [{ method: 'POST', path, operation: post }]),
  ]);
}

function contents({ tags }: OpenApi, routes: readonly DocumentedRoute[]): string {
  const lists = tags.map(({ name }) => {
    const items = routes.filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => [
        `<li><a href="#${operation.operationId}"><span class="method">${method}</span>`,
        `<code>${escaped(path)}</code></a> ${sentence(operation.summary)}</li>`,
      ].join(' '));
    return `<h3>${escaped(name)}</h3><ul>${items.join('\n')}</ul>`;
  });
  return `<nav>${lists.join('\n')}</nav>`;
}

function operationSection(
  { components }: OpenApi, { method, path, operation }: DocumentedRoute,
): string {
  const parameters = (operation.parameters ?? [])
    .map((reference) => components.parameters[nameOf(reference)])
    .filter((parameter) => parameter !== undefined)
    .map(({ name, in: location, required, description, example }) => [
      `<code>${escaped(name)}</code>`, escaped(location), required ? 'yes' : 'no',
      sentence(description), `<code>${escaped(String(example))}</code>`,
    ]);
  const answers = Object.entries(operation.responses).map(([status, response]) => [
    status,
    sentence(response.description),
    Object.keys(response.headers ?? {}).map(escaped).join(', '),
    bodies(response.content),
  ]);
  const { requestBody } = operation;
  return [
    `<section><h2 id="${operation.operationId}">${method} <code>${escaped(path)}</code></h2>`,
    `<p>${sentence(operation.summary)}. ${sentence(operation.description)}</p>`,
    `<p>Credentials: ${credentials(operation)}</p>`,
    parameters.length === 0
      ? ''
      : table(['Parameter', 'In', 'Mandatory', 'Meaning', 'Example'], parameters),
    requestBody === undefined
      ? ''
      : `<h3>Body</h3><p>${sentence(requestBody.description)}</p>${bodies(requestBody.content)}`,
    '<h3>Answers</h3>',
    table(['Status', 'When', 'Headers', 'Body'], answers),
    '</section>',
  ].join('\n');
}

function credentials({ security }: OpenApiOperation): string {
  const kinds = security.flatMap(Object.keys);
  return kinds.length === 0 ? 'none' : kinds.map(escaped).join(' or ');
}

function bodies(content: Readonly<Record<string, OpenApiMedia>>): string {
  return Object.entries(content).map(([type, media]) => {
    const shape = shapeOf(media);
    const about = '$ref' in shape ? linkTo(nameOf(shape)) : sentence(shape.description);
    return `<p>${about} <code>${escaped(type)}</code></p>${folded('Example', media.example)}`;
  }).join('');
}

function linkTo(name: string): string {
  return `<a href="#${shapeId(name)}">${escaped(name)}</a>`;
}

function shapeId(name: string): string {
  return `shape-${name}`;
}
