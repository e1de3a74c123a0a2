/** The document of the API is read by tools that are written in Python. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDir, validateOpenApi } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

it('C4: the document is valid to its readers', async () => {
  await using dir = await temporaryDir();
  const file = path.join(dir.path, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument('1.0.0')));
  expect(await validateOpenApi(file)).toMatch(/OK/);
});
