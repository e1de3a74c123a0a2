/**
 * JSON schemas for kubeconform, derived from the Go client's types: they allow exactly the known
 * fields and types. Required fields are not stated there.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Type {
  scalar?: string | undefined;
  namedType?: string | undefined;
  list?: { elementType: Type } | undefined;
  map?:
    | { fields?: { name: string; type: Type }[] | undefined; elementType?: Type | undefined }
    | undefined;
}

/**
 * Writes one file per kind, named as kubeconform expects. @returns the pattern for its arguments
 */
export async function writeSchemas(types: string, dir: string): Promise<string> {
  const { types: all }: { types: (Type & { name: string })[] } = parse(types);
  const definitions = Object.fromEntries(all.map((type) => [type.name, schemaOf(type)]));
  await writeFile(join(dir, 'definitions.json'), JSON.stringify({ definitions }));
  for (const { name, map } of all) {
    const [, group, version, kind] = /^io\.k8s\.api\.(\w+)\.(\w+)\.(\w+)$/.exec(name) ?? [];
    if (!map?.fields?.some((field) => field.name === 'apiVersion') || !group || !kind) continue;
    const file = [kind.toLowerCase(), ...(group === 'core' ? [] : [group]), version].join('-');
    await writeFile(join(dir, `${file}.json`), JSON.stringify({ $ref: reference(name) }));
  }
  return join(dir, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

function reference(name: string): string {
  return `definitions.json#/definitions/${name}`;
}

function schemaOf({ scalar, namedType, list, map }: Type): object {
  if (scalar === 'untyped' || namedType === '__untyped_atomic_') return {};
  if (scalar !== undefined) return { type: [scalar === 'numeric' ? 'number' : scalar, 'null'] };
  if (namedType !== undefined) return { $ref: reference(namedType) };
  if (list !== undefined) return { type: ['array', 'null'], items: schemaOf(list.elementType) };
  if (map?.fields === undefined)
    return { type: ['object', 'null'], additionalProperties: schemaOf(map?.elementType ?? {}) };
  const properties = Object.fromEntries(
    map.fields.map((field) => [field.name, schemaOf(field.type)]),
  );
  return { type: ['object', 'null'], properties, additionalProperties: false };
}
