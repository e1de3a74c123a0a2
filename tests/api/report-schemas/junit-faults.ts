/** Validates JUnit reports against the XML schema of Jenkins. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

const SCHEMA = path.join(import.meta.dirname, 'junit-jenkins.xsd');

/** The violations of the schema; empty where the document is valid. */
export async function junitFaults(contents: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: { fileName: 'report.xml', contents },
    schema: { fileName: 'junit.xsd', contents: await readFile(SCHEMA, 'utf8') },
  });
  return errors.map(({ message }) => message);
}
