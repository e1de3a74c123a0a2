/**
 * Generates the table of values in the README of the chart, in the form of helm-docs. The comment
 * before a key of values.yaml describes it; values.schema.json describes what several sections
 * have. `npm run docs` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, isNode, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

const CHART = path.resolve(import.meta.dirname, '../../deploy/helm/portcullis');
export const README = path.join(CHART, 'README.md');
const HEADING = '## Values\n';

interface ChartValue {
  /** From the root. */
  keys: string[];
  value: unknown;
  description: string;
}

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
}

const readChart = (file: string) => readFileSync(path.join(CHART, file), 'utf8');
const schema: Schema & { definitions: Record<string, Schema> } = JSON.parse(
  readChart('values.schema.json'),
);

/** A map has a row for each of its keys if one of these has a comment, otherwise one row. */
export function chartValues(): ChartValue[] {
  const { contents } = parseDocument(readChart('values.yaml'));
  return isMap(contents) ? rowsOf(contents, []) : [];
}

function rowsOf(map: YAMLMap, parents: string[]): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    const keys = [...parents, keyOf(pair)];
    const { value } = pair;
    if (isMap(value) && value.items.some((_, at) => commentOf(value, at) !== ''))
      return rowsOf(value, keys);
    const description = commentOf(map, index) || describe(keys);
    return [{ keys, value: isNode(value) ? value.toJSON() : null, description }];
  });
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

/** The library gives the comment before the first key to the map. */
function commentOf(map: YAMLMap, index: number): string {
  const key = map.items[index]?.key;
  const own = isNode(key) ? key.commentBefore : null;
  const text = own ?? (index === 0 ? map.commentBefore : null) ?? '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

function describe(keys: readonly string[]): string {
  const found = keys.reduce<Schema | undefined>(
    (at, key) => resolve(at)?.properties?.[key],
    schema,
  );
  return found?.description ?? resolve(found)?.description ?? '';
}

function resolve(found: Schema | undefined): Schema | undefined {
  const name = found?.$ref?.split('/').at(-1);
  return name === undefined ? found : schema.definitions[name];
}

export function valuesTable(): string {
  const rows = chartValues().map(({ keys, value, description }) => {
    const fallback = JSON.stringify(value).replaceAll('|', '\\|');
    return `| ${keys.join('.')} | ${typeOf(value)} | \`${fallback}\` | ${description.replaceAll('|', '\\|')} |`;
  });
  return [
    '| Key | Type | Default | Description |',
    '|-----|------|---------|-------------|',
    ...rows,
  ]
    .join('\n')
    .concat('\n');
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return { boolean: 'bool', number: 'int' }[typeof value as string] ?? typeof value;
}

/** The table is the last section. */
export function withTable(readme: string): string {
  const at = readme.indexOf(HEADING);
  return `${at < 0 ? `${readme}\n` : readme.slice(0, at)}${HEADING}${valuesTable()}`;
}

if (import.meta.main) writeFileSync(README, withTable(readFileSync(README, 'utf8')));
