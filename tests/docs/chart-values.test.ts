/** The README of the chart has each value with its default and a description. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  chartValues,
  README,
  valuesTable,
  withTable,
} from '../../tools/config-reference/chart-values.ts';

const CHART = path.dirname(README);
const read = (file: string) => readFileSync(path.join(CHART, file), 'utf8');

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
}

const schema: Schema & { definitions: Record<string, Schema> } = JSON.parse(
  read('values.schema.json'),
);
const values = parse(read('values.yaml'));

describe('the values of the chart', () => {
  it('are in its README (`npm run docs` writes them)', () => {
    const readme = readFileSync(README, 'utf8');
    expect(readme).toContain(valuesTable());
    expect(withTable(readme)).toBe(readme);
  });

  it('each have a description', () => {
    const silent = chartValues().filter(({ description }) => description === '');
    expect(silent.map(({ keys }) => keys.join('.'))).toEqual([]);
    expect(chartValues().length).toBeGreaterThan(150);
  });

  it('are those of the schema, which accepts no other', () => {
    expect(differences(schema, values, [])).toEqual([]);
  });
});

/** Keys that only the schema or only values.yaml has. */
function differences(given: Schema, value: unknown, parents: string[]): string[] {
  const { properties, additionalProperties } = resolved(given);
  if (properties === undefined || !isRecord(value)) return [];
  const at = parents.join('.');
  const isOpen = additionalProperties !== false && at !== 'global';
  const open = isOpen ? [`${at} accepts unknown keys`] : [];
  // Kubernetes' own fields, of which the chart sets a few.
  const isForeign = /SecurityContext$|^dnsConfig$/.test(at);
  const known = Object.keys(properties).filter((key) => !isForeign || key in value);
  const both = new Set([...known, ...Object.keys(value)]);
  const missing = [...both].filter((key) => !(key in value && key in properties));
  const inner = [...both].flatMap((key) =>
    differences(properties[key] ?? {}, value[key], [...parents, key]),
  );
  return [...open, ...missing.map((key) => `${at}.${key}`), ...inner];
}

function resolved({ $ref, allOf, ...own }: Schema): Schema {
  if (allOf?.[0] !== undefined) return resolved(allOf[0]);
  return $ref === undefined
    ? own
    : resolved(schema.definitions[$ref.split('/').at(-1) ?? ''] ?? {});
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe("Artifact Hub's annotations", () => {
  const { annotations } = parse(read('Chart.yaml'));
  const listed = (name: string) => parse(annotations[`artifacthub.io/${name}`]);

  it('name the images of the chart', () => {
    const images = new Map<string, string>(
      listed('images').map(({ name, image }: { name: string; image: string }) => [name, image]),
    );
    expect([...images.keys()]).toEqual(Object.keys(values.images));
    const { repository, tag } = values.images.registry;
    expect(images.get('registry')).toBe(`${repository}:${tag}`);
    for (const name of ['api', 'worker'])
      expect(images.get(name)).toContain(`/${values.images[name].repository}:`);
  });

  it('name the licence, pages of this repository and the changelog', () => {
    const { license, repository } = JSON.parse(
      readFileSync(path.join(CHART, '../../../package.json'), 'utf8'),
    );
    expect(annotations['artifacthub.io/license']).toBe(license);
    const links = [...listed('links'), ...listed('changes')[0].links];
    for (const { url } of links) {
      expect(url).toContain(repository.url);
      const [, file] = url.split('/blob/main/');
      if (file) readFileSync(path.join(CHART, '../../..', file));
    }
  });
});
