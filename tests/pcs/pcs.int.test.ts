/** The bundled `pcs` against the product, as the account of a pipeline. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeCertificate, openSql, PATIENCE_MS } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFaults } from '../api/report-schemas/validate.ts';
import { bodyOf } from '../support/product.ts';
import { openPipelineSite, type PipelineSite, provideImages } from './site.ts';

const CRITICAL = 'CVE-2099-0001';

let site: PipelineSite;

beforeAll(async () => {
  site = await openPipelineSite();
  await provideImages(site, {
    clean: ['acme/tool', 'acme/web'],
    flawed: ['acme/old', 'acme/asked'],
  });
});

afterAll(() => site?.[Symbol.asyncDispose]());

/** With a token of the administrator. */
async function asAdministrator(): Promise<{ PORTCULLIS_TOKEN: string }> {
  const order = { name: randomUUID(), scope: 'api' };
  const { token } = await bodyOf(site.admin('POST', '/api/auth/tokens', order));
  return { PORTCULLIS_TOKEN: token };
}

const upstream = (name: string) => `${site.upstream.host}/${name}`;

const SCAN = { timeout: PATIENCE_MS, interval: 200 };

/** The facts that `--json` prints. */
async function facts(args: readonly string[]) {
  const { out, err } = await site.pcs([...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out);
}

describe('pcs login', () => {
  const noLogin = { PORTCULLIS_URL: '', PORTCULLIS_TOKEN: '' };

  it('stores the token of standard input for the owner only, and logout removes it', async () => {
    const env = noLogin;
    const login = ['login', site.product.url, '--token-stdin'];
    const done = await site.pcs(login, { env, input: `${site.token}\n` });
    expect(done).toEqual({ code: 0, out: `Logged in to ${site.product.url} as ci.\n`, err: '' });
    const file = path.join(site.dir, '.config', 'portcullis', 'pcs.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await site.pcs(['transfer', 'acme/tool:1.0', '--plan'], { env })).err).toBe('');

    expect((await site.pcs(['logout'], { env })).out).toContain('The login of ci');
    const after = await site.pcs(['transfer', 'acme/tool:1.0', '--plan'], { env });
    expect(after).toMatchObject({ code: 1, err: expect.stringContaining('(LOGIN_MISSING)') });
  });

  it('stores nothing that the server refuses', async () => {
    const login = ['login', site.product.url, '--token-stdin'];
    const refused = await site.pcs(login, { env: noLogin, input: 'pct_wrong\n' });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(TOKEN_INVALID)') });
  });

  it('does not send the stored token to another installation', async () => {
    const login = ['login', site.product.url, '--token-stdin'];
    await site.pcs(login, { env: noLogin, input: `${site.token}\n` });
    const env = { ...noLogin, PORTCULLIS_URL: 'http://127.0.0.1:9' };
    const elsewhere = await site.pcs(['gate', 'team/any:1'], { env });
    expect(elsewhere.err).toBe(
      'pcs: there is no login for 127.0.0.1:9; run `pcs login`, or set PORTCULLIS_URL and PORTCULLIS_TOKEN (LOGIN_MISSING)\n',
    );
  });
});

it('pcs running says where images run that the account may pull', async () => {
  const sql = await openSql(await site.product.databaseUrl());
  const none = await site.pcs(['running']);
  expect(none).toMatchObject({ code: 0, out: expect.stringContaining('do not report') });
  await sql.query(`INSERT INTO clusters VALUES ('eu')`);
  await sql.query(`INSERT INTO local_repositories (name, namespace, updated_at, seen_at, created_at)
    SELECT folder || '/runs', folder, now(), now(), now() FROM unnest('{team,other}'::text[]) folder`);
  const digest = `sha256:${'a'.repeat(64)}`;
  await sql.query(
    `INSERT INTO running_images SELECT 'eu', 'shop', name, $1 FROM local_repositories
      WHERE name LIKE '%/runs'`,
    [digest],
  );
  await sql.end();
  const { out, err } = await site.pcs(['running', `team/runs@${digest}`, '--cluster', 'eu']);
  expect(err).toBe('');
  expect(out).toMatch(
    /^1 namespace of 1 cluster\neu\/shop: team\/runs@sha256:a{64}, started last /,
  );
  expect((await facts(['running'])).images).toHaveLength(1);
});

describe('pcs pull, push and gate', () => {
  it('exit with 0 for a clean image, which is then in the folder and passes', async () => {
    const pulled = await site.pcs(['pull', upstream('acme/tool:1.0'), '--wait', '--quiet']);
    expect(pulled).toMatchObject({ code: 0, err: '' });
    const job = pulled.out.trim();
    const pushed = await site.pcs(['push', job, '--to', 'team/tool:1.0', '--wait']);
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('pushed') });
    const gated = await site.pcs(['gate', 'team/tool:1.0']);
    expect(gated).toMatchObject({ code: 0, out: expect.stringContaining('passes') });
  });

  it('print nothing with -q, so that the exit code says it', async () => {
    const { out } = await site.pcs(['pull', upstream('acme/tool:1.0'), '--wait', '-q']);
    const push = ['push', out.trim(), '--to', 'team/quiet:1.0', '--wait', '-q'];
    for (const args of [push, ['gate', 'team/quiet:1.0', '-q']])
      expect(await site.pcs(args)).toMatchObject({ code: 0, out: '', err: '' });
  });

  it('exit with 3 for a blocked image, and name what blocks it', async () => {
    const pulled = await site.pcs(['pull', upstream('acme/old:1.0'), '--wait']);
    expect(pulled).toMatchObject({ code: 3, out: expect.stringContaining(CRITICAL) });
    const job = /job (\S+)/.exec(pulled.out)?.[1] ?? '';
    const pushed = await site.pcs(['push', job, '--to', 'team/old:1.0', '--wait']);
    expect(pushed).toMatchObject({ code: 3, out: expect.stringContaining('(VULN_BLOCKED)') });
    const quietly = await site.pcs(['push', job, '--to', 'team/old:1.0', '--wait', '-q']);
    expect(quietly).toMatchObject({ code: 3, out: '', err: '' });
  });

  it('exit with 1 for an image that does not exist', async () => {
    const pulled = await site.pcs(['pull', upstream('acme/none:1.0'), '--wait']);
    expect(pulled).toMatchObject({ code: 1, out: expect.stringContaining('failed') });
  });

  it('exit with 2 for wrong usage, without a request', async () => {
    const env = { PORTCULLIS_URL: 'http://127.0.0.1:9' };
    for (const args of [
      ['push', 'job'],
      ['report', 'a', '--format', 'pdf'],
    ])
      expect(await site.pcs(args, { env })).toMatchObject({ code: 2, out: '' });
  });

  it('an unreachable server is named with a remedy', async () => {
    const env = { PORTCULLIS_URL: 'http://127.0.0.1:9' };
    const asked = await site.pcs(['waive', 'CVE-2099-0001', '--reason', 'test'], { env });
    expect(asked.err).toBe(
      "pcs: 127.0.0.1:9 can't be reached; check the address, the network and HTTPS_PROXY (SITE_UNREACHABLE)\n",
    );
  });
});

describe('pcs request-review', () => {
  const TO = ['--to', 'team/asked:1.0'];
  const WHY = ['--reason', 'the release needs it'];

  it('waits for the decision, and for the push that follows it', async () => {
    const job = (await facts(['pull', upstream('acme/asked:1.0'), '--wait'])).job_id;
    const order = ['request-review', job, ...TO, ...WHY, '--push-when-approved', '--wait'];
    const waiting = site.pcs(order);
    const open = async () => (await site.admin('GET', '/api/reviews?to_decide=true')).body;
    await expect.poll(open).toHaveLength(1);
    const [{ number }] = await open();
    const again = await site.pcs(['request-review', job, ...TO, ...WHY]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining(`#${number}`) });
    const body = { decision: 'approve', comment: 'until the rebuild' };
    const decided = await site.admin('POST', `/api/reviews/${number}/decision`, body);
    expect(decided.body).toMatchObject({ state: 'approved', push: { state: 'requested' } });
    const { code, out, err } = await waiting;
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('waits') });
    expect(out).toContain(`#${number}: approved`);
    expect(out).toContain('by admin: until the rebuild');
    expect((await site.pcs(['gate', 'team/asked:1.0'])).code).toBe(0);
  });

  it('exits with 2 without a destination or a reason', async () => {
    for (const args of [WHY, TO])
      expect(await site.pcs(['request-review', 'job', ...args])).toMatchObject({ code: 2 });
  });
});

describe('pcs gate, why and waive', () => {
  it('a privileged push in a folder without enforcement is blocked by the policy all the same', async () => {
    const job = (await facts(['pull', upstream('acme/old:1.0'), '--wait'])).job_id;
    const push = { job_id: job, target_image: 'team/old', target_tag: '1.0' };
    expect(await site.admin('POST', '/api/staging/push', push)).toMatchObject({ status: 202 });
    await expect.poll(async () => (await site.pcs(['gate', 'team/old:1.0'])).code).toBe(3);
    const { out } = await site.pcs(['gate', 'team/old:1.0']);
    expect(out).toContain(CRITICAL);
  });

  it('why prints the policy and the rule that blocks', async () => {
    const { code, out } = await site.pcs(['why', 'team/old:1.0']);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/blocking +CRITICAL/),
    });
  });

  it('statements says where nothing is stated', async () => {
    const { code, out } = await site.pcs(['statements', 'team/old:1.0']);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^team\/old@sha256:[0-9a-f]{64}: nothing is stated/),
    });
  });

  it('a waiver that another account approves opens the gate', async () => {
    const findings = await facts(['gate', 'team/old:1.0']);
    for (const { vulnerability } of findings.blocking) {
      const order = [
        'waive',
        vulnerability,
        '--in',
        'team',
        '--reason',
        'not reachable',
        '--until',
        '30d',
      ];
      const waiver = await facts(order);
      expect(waiver).toMatchObject({ state: 'requested', folder: 'team' });
      const approved = await site.admin('POST', `/api/waivers/${waiver.id}/approve`);
      expect(approved.status).toBe(200);
    }
    expect((await site.pcs(['gate', 'team/old:1.0'])).code).toBe(0);
  });
});

describe('pcs report', () => {
  it.each(['sarif', 'cyclonedx', 'spdx'] as const)('saves valid %s of an image', async (format) => {
    const file = path.join(site.dir, `tool.${format}`);
    const saved = await site.pcs(['report', 'team/tool:1.0', '--format', format, '-o', file]);
    expect(saved).toMatchObject({ code: 0, err: '' });
    expect(schemaFaults(format, JSON.parse(await readFile(file, 'utf8')))).toEqual([]);
  });

  it('writes to standard output without -o', async () => {
    const { out } = await site.pcs(['report', 'team/tool:1.0']);
    expect(Object.keys(JSON.parse(out))).toContain('Results');
  });

  it('exits with 1 for an unknown image, and leaves the file alone', async () => {
    const file = path.join(site.dir, 'kept.json');
    await writeFile(file, 'kept');
    const none = await site.pcs(['report', 'team/none:1.0', '-o', file]);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('(IMAGE_UNKNOWN)') });
    expect(await readFile(file, 'utf8')).toBe('kept');
  });
});

describe('pcs authority', () => {
  const keys = () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return publicKey.export({ type: 'spki', format: 'pem' }).toString();
  };

  it('set saves a file of keys or of JSON, show prints it, and remove deletes it', async () => {
    const env = await asAdministrator();
    expect((await site.pcs(['authority', 'list'])).out).toContain('There is no authority');
    const pem = path.join(site.dir, 'cosign.pub');
    await writeFile(pem, keys());
    const set = ['authority', 'set', pem];
    const unnamed = await site.pcs(set, { env });
    expect(unnamed).toMatchObject({ code: 2, err: expect.stringContaining('--name') });
    const named = [...set, '--name', 'release'];
    const refused = await site.pcs(named);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(ADMIN_ONLY)') });
    expect((await site.pcs(named, { env })).out).toBe('release: created, version 1\n');
    expect((await site.pcs(named, { env })).out).toBe('release: unchanged, version 1\n');
    const shown = await facts(['authority', 'show', 'release']);
    const file = path.join(site.dir, 'release.json');
    await writeFile(file, JSON.stringify({ ...shown, keys: keys() }));
    const changed = await site.pcs(['authority', 'set', file], { env });
    expect(changed.out).toBe('release: changed, version 2\n');
    const listed = await site.pcs(['authority', 'list']);
    expect(listed.out).toMatch(/^release: version 2, key sha256:[0-9a-f]{64}\n$/);
    const removed = await site.pcs(['authority', 'remove', 'release'], { env });
    expect(removed.out).toBe('release: removed\n');
  });

  it('set says what is wrong with a file, and list the day of the shipped root', async () => {
    const env = await asAdministrator();
    const file = path.join(site.dir, 'actions.json');
    const issuer = 'https://token.actions.githubusercontent.com';
    const authority = { name: 'actions', kind: 'keyless', issuer };
    const set = (subject?: string) => writeFile(file, JSON.stringify({ ...authority, subject }));
    await set();
    const command = ['authority', 'set', file];
    const incomplete = await site.pcs(command, { env });
    expect(incomplete).toMatchObject({ code: 1, err: expect.stringContaining('subject') });
    await set('https://github.com/**');
    const wide = await site.pcs(command, { env });
    expect(wide).toMatchObject({ code: 1, err: expect.stringContaining('(VALIDATION_FAILED)') });
    await set('https://github.com/acme/**');
    expect(await site.pcs(command, { env })).toMatchObject({ code: 0 });
    const { out } = await site.pcs(['authority', 'list']);
    expect(out).toMatch(/The root of the public Sigstore is of \d{4}-\d\d-\d\d\.\n$/);
    await site.pcs(['authority', 'remove', 'actions'], { env });
  });
});

describe('pcs mirror', () => {
  let asAdmin: { PORTCULLIS_TOKEN: string };

  beforeAll(async () => {
    const { id } = await bodyOf(site.admin('POST', '/api/folders', { name: 'hub' }));
    const [{ id: group }] = await bodyOf(site.admin('GET', '/api/groups'));
    const rights = { can_pull: true, can_pull_external: true };
    await site.admin('PUT', `/api/folders/${id}/permissions`, { group_id: group, ...rights });
    asAdmin = await asAdministrator();
  });

  it('set makes a folder a mirror and changes what is named, for administrators', async () => {
    const set = ['mirror', 'set', 'hub', '--allow', 'library/*,acme/*'];
    expect(await site.pcs(set, { env: asAdmin })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--from'),
    });
    const refused = await site.pcs([...set, '--from', 'hub']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('(ADMIN_ONLY)') });
    const made = await site.pcs([...set, '--from', 'hub'], { env: asAdmin });
    expect(made).toMatchObject({ code: 0, out: 'hub: the mirror is set\n' });
    const change = ['mirror', 'set', 'hub', '--keep-days', '7', '--json'];
    const { mirror } = JSON.parse((await site.pcs(change, { env: asAdmin })).out);
    expect(mirror).toMatchObject({ keep_days: 7, allow: ['library/*', 'acme/*'] });
    const wrong = ['mirror', 'set', 'hub', '--keep-days', 'week'];
    expect(await site.pcs(wrong, { env: asAdmin })).toMatchObject({ code: 2, out: '' });
  });

  it('a review is requested for the folder of a mirror, whatever host it is called as', async () => {
    const { status } = await site.admin('POST', '/api/folders', { name: 'docker.io' });
    expect(status).toBe(201);
    const order = ['request-review', crypto.randomUUID(), '--reason', 'x', '--to'];
    const here = await site.pcs([...order, 'docker.io/library/young:1'], { env: asAdmin });
    expect(here).toMatchObject({ code: 1, err: expect.stringContaining('(JOB_UNKNOWN)') });
    const elsewhere = await site.pcs([...order, 'quay.io/library/young:1'], { env: asAdmin });
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('no saved registry') });
  });

  it('list and show print mirrors, and the tags that are not as at the upstream', async () => {
    expect((await site.pcs(['mirror', 'list'])).out).toBe(`hub mirrors ${site.upstream.host}\n`);
    const order = { name: 'puller', scope: 'docker' };
    const { token } = await bodyOf(site.admin('POST', '/api/auth/tokens', order));
    const basic = Buffer.from(`admin:${token}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const url = `${site.product.url}/v2/hub/acme/old/manifests/1.0`;
    await expect.poll(async () => (await fetch(url, { headers })).status, SCAN).toBe(403);
    const { out } = await site.pcs(['mirror', 'show', 'hub']);
    expect(out).toContain('1 refused, 0 failed');
    expect(out).toMatch(/hub\/acme\/old:1\.0: refused\n {2}upstream {2}sha256:.*\n.*VULN_BLOCKED/);
    const shown = await facts(['mirror', 'show', 'hub']);
    expect(shown.tags).toMatchObject([{ state: 'refused', error: { code: 'VULN_BLOCKED' } }]);
    const byAdmin = await site.pcs(['mirror', 'show', 'hub'], { env: asAdmin });
    expect(byAdmin.out).toMatch(/\n {2}job {7}[0-9a-f-]{36}\n/);
    const none = await site.pcs(['mirror', 'show', 'team']);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('(MIRROR_UNSET)') });
  });

  it('remove ends a mirror', async () => {
    const removed = await site.pcs(['mirror', 'remove', 'hub'], { env: asAdmin });
    expect(removed).toMatchObject({ code: 0, out: expect.stringContaining('no mirror any more') });
    expect((await site.pcs(['mirror', 'list'])).out).toContain('No folder');
    await site.admin('PATCH', '/api/folders/hub', { mirror: { registry_id: null } });
  });

  it('config prints the file alone, and on standard error where it belongs', async () => {
    const { host } = new URL(site.product.url);
    const { out, err } = await site.pcs(['mirror', 'config', 'hub', '--client', 'podman']);
    expect(out).toContain(`location = "${host}/hub"\n`);
    expect(out).not.toContain('registries.conf.d');
    expect(err).toContain('Write this to /etc/containers/registries.conf.d/hub.conf.\n');
    expect(err).toContain('podman pull docker.io/library/alpine:latest');
    const [file] = (await facts(['mirror', 'config', 'hub', '--client', 'containerd'])).files;
    expect(file.path).toBe('/etc/containerd/certs.d/docker.io/hosts.toml');
  });

  it('config names the file with the authority, and the clients where none is given', async () => {
    const given = ['mirror', 'config', 'hub', '--client', 'containerd', '--json'];
    const ca = path.join(site.dir, 'ca.pem');
    await writeFile(ca, makeCertificate().certificate);
    const [file] = JSON.parse((await site.pcs([...given, '--ca', ca])).out).files;
    expect(file.text).toContain(`ca = "${ca}"`);
    const none = await site.pcs(['mirror', 'config', 'hub']);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('containerd, podman') });
  });
});

it('completion is a script that bash accepts', async () => {
  const { out } = await site.pcs(['completion', 'bash']);
  expect(out).toContain('complete -o default -F _pcs pcs');
});

it('without a login a command says how to log in', async () => {
  const nowhere = { XDG_CONFIG_HOME: path.join(site.dir, 'empty') };
  const env = { ...nowhere, PORTCULLIS_URL: '', PORTCULLIS_TOKEN: '' };
  expect((await site.pcs(['gate', 'a'], { env })).err).toContain('run `pcs login`');
});
