/** Validates exported reports against the official schemas of SARIF, CycloneDX and SPDX. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';

export type SchemaFormat = 'sarif' | 'cyclonedx' | 'spdx';

// Their authors use keywords and regular expressions that ajv's strict mode does not know.
const OPTIONS = { strict: false, allErrors: true, unicodeRegExp: false } as const;

const VALIDATORS: Record<SchemaFormat, () => ValidateFunction> = {
  sarif: () =>
    addFormats.default(new AjvDraft04.default(OPTIONS)).compile(read('sarif-2.1.0-rtm.5.json')),
  spdx: () => addFormats.default(new Ajv2019(OPTIONS)).compile(read('spdx-2.3.json')),
  cyclonedx() {
    const ajv = addFormats.default(new Ajv.default({ ...OPTIONS, formats: UNCHECKED }));
    for (const part of ['spdx', 'jsf-0.82', 'cryptography-defs'])
      ajv.addSchema(cyclonedx(part), `http://cyclonedx.org/schema/${part}.SNAPSHOT.schema.json`);
    return ajv.compile(cyclonedx('bom-1.7'));
  },
};

/** Formats of international host names and the like, which no report of ours contains. */
const UNCHECKED = { 'idn-email': true, 'iri-reference': true } as const;

const compiled = new Map<SchemaFormat, ValidateFunction>();

/** The violations of the schema; empty where the document is valid. */
export function schemaFaults(format: SchemaFormat, document: unknown): string[] {
  const validate = compiled.get(format) ?? VALIDATORS[format]();
  compiled.set(format, validate);
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

function read(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, name), 'utf8'));
}

function cyclonedx(name: string) {
  const root = path.dirname(
    createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
  );
  return JSON.parse(
    readFileSync(path.join(root, 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8'),
  );
}
