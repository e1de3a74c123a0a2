import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { writeLogin } from './credentials.ts';
import { openSession } from './session.ts';

const LOGIN = {
  url: 'https://images.example',
  token: 'pct_1',
  username: 'ci',
  expires_at: null,
  ca: 'no certificate',
};

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pcs-'));
  file = path.join(folder, 'pcs.json');
});
afterEach(() => rm(folder, { recursive: true }));

async function opened(env: Record<string, string>): Promise<string> {
  const config = { ...readConfig(env), credentialsFile: file };
  const api = await openSession({ config, caFile: undefined });
  api.close();
  return api.site.origin;
}

it('the environment alone is enough, whatever the stored login is', async () => {
  await writeFile(file, 'not JSON');
  const env = { PORTCULLIS_URL: 'https://other.example', PORTCULLIS_TOKEN: 'pct_2' };
  expect(await opened(env)).toBe('https://other.example');
  await expect(opened({})).rejects.toMatchObject({ code: 'LOGIN_UNREADABLE' });
});

it('a stored token is not for another installation', async () => {
  await writeLogin(file, LOGIN);
  expect(await opened({})).toBe('https://images.example');
  await expect(opened({ PORTCULLIS_URL: 'https://other.example' })).rejects.toMatchObject({
    code: 'LOGIN_MISSING',
  });
});

it('a login that has ended asks for another one', async () => {
  await writeLogin(file, { ...LOGIN, expires_at: new Date(0).toISOString() });
  await expect(opened({})).rejects.toMatchObject({ code: 'LOGIN_EXPIRED' });
});
