import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { redactReport } from './redact.ts';

const CONFIG = {
  architecture: 'amd64',
  os: 'linux',
  history: [{ created_by: 'ARG PASSWORD=hunter2' }],
  config: { Env: ['TOKEN=hunter2'], Labels: { a: 'hunter2' } },
};
const HEAD = {
  SchemaVersion: 2,
  Trivy: { Version: '0.74.0' },
  Metadata: { OS: { Family: 'debian' }, ImageConfig: CONFIG },
};

async function redacted(text: string): Promise<string> {
  await using dir = await temporaryDir();
  await writeFile(join(dir.path, 'in'), text);
  await redactReport(join(dir.path, 'in'), join(dir.path, 'out'));
  return await readFile(join(dir.path, 'out'), 'utf8');
}

it.each([
  ['with results', { Results: [{ Target: 'x', Note: '\n  "Results": [' }] }],
  ['without results', {}],
])('a report %s loses the configuration and nothing else', async (_, rest) => {
  const text = await redacted(JSON.stringify({ ...HEAD, ...rest }, null, 2));
  expect(text).not.toContain('hunter2');
  expect(JSON.parse(text)).toEqual({
    ...HEAD,
    Metadata: { OS: { Family: 'debian' }, ImageConfig: { architecture: 'amd64', os: 'linux' } },
    ...rest,
  });
});

it('invalid reports are not stored', async () => {
  await expect(redacted('{"Metadata": ')).rejects.toMatchObject({ code: 'SCAN_REPORT_INVALID' });
});
