/**
 * Each rule of the contract on both of its sides: a value that it accepts, and one that it refuses
 * with its code at its path.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AuthorityName,
  contract,
  EmailSettings,
  ExplainQuery,
  fieldFaultsOf,
  NewFolder,
  NewGroup,
  NewMember,
  NewPolicy,
  NewTagRetention,
  NewToken,
  NewTrustRule,
  NewUser,
  NewWaiver,
  NewWebhook,
  OidcSettings,
  type Operation,
  PolicyDraft,
  ProxySettings,
  RegistryProbe,
  ScanPolicyChange,
  TransferImage,
} from './index.ts';

type Schema = NonNullable<Operation['body']>;
type Row = [code: string, schema: Schema | undefined, good: unknown, bad: unknown, path: string];

const ID = '0190c0de-0000-7000-8000-000000000000';
const DIGEST = `sha256:${'a'.repeat(64)}`;
const SCOPE = { vulnerability: 'CVE-2026-1' };
const WAIVER = {
  ...SCOPE,
  status: 'accepted',
  reason: 'not reachable',
  expires_at: '2026-12-01T00:00:00Z',
};
const FALSE_POSITIVE = { ...WAIVER, status: 'not_affected' };
const { removeImageTags, copyImage } = contract.images;
const PULL = { image: 'a', tag: '1' };
const USER = { source_registry_username: 'ada' };
const TAGS = { tags: ['1'] };
const COPY = { source_repository: 'team/app', dest_repository: 'team/b' };
const { severities } = ScanPolicyChange.shape;
const RULE = { severities: ['HIGH'] };
const { name: policyName, rules, signatures } = NewPolicy.shape;
const ANY = { images: '**', any_of: ['release'] };
const MANY = Array.from({ length: 21 }, (_, n) => `a${n}`);
const { conditions } = NewTrustRule.shape;
const { scope } = NewToken.shape;

const ROWS: Row[] = [
  [
    'CREDENTIALS_INCOMPLETE',
    contract.staging.pull.body,
    { ...PULL, ...USER, source_registry_password: 'b' },
    { ...PULL, ...USER },
    'source_registry_password',
  ],
  [
    'INVALID',
    contract.waivers.exportVex.query,
    { folder: 'team' },
    { folder: 'team', reference: '1' },
    'folder',
  ],
  ['ACCOUNT_AMBIGUOUS', NewMember, { username: 'ada' }, { username: 'ada', user_id: ID }, ''],
  ['ACCOUNT_AMBIGUOUS', NewMember, { user_id: ID }, {}, ''],
  ['AUTHORITIES_EXCLUSIVE', signatures, [ANY], [{ ...ANY, all_of: ['a'] }], '0.any_of'],
  ['REQUIRED', signatures, [ANY], [{ images: '**' }], '0.any_of'],
  ['TOO_FEW', signatures, [ANY], [{ ...ANY, any_of: [] }], '0.any_of'],
  ['TOO_MANY', signatures, [ANY], [{ ...ANY, any_of: MANY }], '0.any_of'],
  ['TOO_MANY', signatures, [ANY], MANY.map(() => ANY), ''],
  ['REPOSITORY_PATTERN_INVALID', signatures, [ANY], [{ ...ANY, images: 'A' }], '0.images'],
  [
    'CLAIM_PATTERN_INVALID',
    conditions,
    { repository: ['acme/a', 'acme/**'] },
    { repository: ['acme/a', 'acme/***'] },
    'repository.1',
  ],
  [
    'DIGEST_INVALID',
    removeImageTags.body,
    { ...TAGS, digest: DIGEST },
    { ...TAGS, digest: 'latest' },
    'digest',
  ],
  [
    'DIGEST_INVALID',
    NewWaiver,
    { ...WAIVER, digest: DIGEST },
    { ...WAIVER, digest: 'sha256:1' },
    'digest',
  ],
  ['AUTHORITY_NAME_INVALID', AuthorityName, 'release-1', 'Release', ''],
  ['FOLDER_NAME_INVALID', NewFolder, { name: 'team' }, { name: 'te/am' }, 'name'],
  ['FOLDER_NAME_RESERVED', NewFolder, { name: 'apis' }, { name: 'mine' }, 'name'],
  ['HOST_INVALID', EmailSettings.shape.host, 'mail.example', 'mail example', ''],
  [
    'JUSTIFICATION_REQUIRED',
    NewWaiver,
    { ...FALSE_POSITIVE, justification: 'component_not_present' },
    FALSE_POSITIVE,
    'justification',
  ],
  [
    'JUSTIFICATION_UNEXPECTED',
    NewWaiver,
    WAIVER,
    { ...WAIVER, justification: 'component_not_present' },
    'justification',
  ],
  [
    'LOCAL_PATH_INVALID',
    contract.oidc.login.query,
    { next: '/staging?x=1' },
    { next: '//evil.example' },
    'next',
  ],
  [
    'LOCAL_PATH_INVALID',
    contract.oidc.login.query,
    { next: '/' },
    { next: '/\\evil.example' },
    'next',
  ],
  ['MAIL_ADDRESS_INVALID', EmailSettings.shape.from_address, 'Gate <gate@example.com>', 'gate', ''],
  ['NOT_ONE_LINE', NewGroup.shape.name, 'a group', 'a\ngroup', ''],
  ['NOT_ONE_LINE', NewWebhook.shape.name, 'a hook', 'a\nhook', ''],
  [
    'PACKAGE_REQUIRED',
    NewWaiver,
    { ...WAIVER, package: 'bash', package_version: '5' },
    { ...WAIVER, package_version: '5' },
    'package',
  ],
  ['PATH_NOT_ABSOLUTE', EmailSettings.shape.tls_ca_cert, '/etc/ca.pem', 'etc/ca.pem', ''],
  [
    'PLATFORM_INVALID',
    contract.staging.pull.body,
    { image: 'a', tag: '1', platforms: ['linux/arm64'] },
    { image: 'a', tag: '1', platforms: ['arm64'] },
    'platforms.0',
  ],
  ['POLICY_NAME_RESERVED', policyName, 'production', ' Default ', ''],
  ['PROXY_URL_INVALID', ProxySettings.shape.http_proxy, 'http://proxy:3128', 'ftp://proxy', ''],
  [
    'REFERENCE_INVALID',
    TransferImage,
    { repository: 'a', tag: DIGEST },
    { repository: 'a', tag: 'a:b' },
    'tag',
  ],
  [
    'REPOSITORY_INVALID',
    TransferImage,
    { repository: 'team/app' },
    { repository: 'Team/app' },
    'repository',
  ],
  [
    'REPOSITORY_PATTERN_INVALID',
    NewWaiver,
    { ...WAIVER, repository: 'team/**' },
    { ...WAIVER, repository: 'team/***' },
    'repository',
  ],
  [
    'REPOSITORY_REQUIRED',
    ExplainQuery,
    { action: 'push_external', user_id: ID },
    { action: 'push', user_id: ID },
    'repository',
  ],
  ['REQUIRED', PolicyDraft, { folder: 'team', policy_id: null }, { folder: 'team' }, 'draft'],
  ['RETENTION_UNBOUNDED', NewTagRetention, { keep_days: 3 }, { keep: ['v*'] }, 'keep_newest'],
  ['SCOPE_INVALID', OidcSettings.shape.scopes, ['openid', 'groups'], ['openid groups'], '0'],
  ['SEARCH_TERM_REQUIRED', contract.trivy.searchFindings.query, { cve: 'CVE-2026-1' }, {}, 'cve'],
  [
    'SEARCH_TERM_REQUIRED',
    contract.trivy.searchFindings.query,
    { package: 'bash' },
    { limit: '1' },
    'cve',
  ],
  ['SEVERITIES_REPEATED', severities, ['HIGH', 'LOW'], ['HIGH', 'HIGH'], ''],
  ['SEVERITIES_REPEATED', rules, [RULE], [{ severities: ['LOW', 'LOW'] }], '0.severities'],
  [
    'TAGS_EXCLUSIVE',
    TransferImage,
    { repository: 'a', tag: '1' },
    { repository: 'a', tag: '1', tags: { newest: 1, match: { glob: '*' } } },
    'tags',
  ],
  ['TAG_INVALID', removeImageTags.body, TAGS, { tags: ['1', '.2'] }, 'tags.1'],
  [
    'TAG_REQUIRED',
    copyImage.body,
    { ...COPY, source_tag: '1' },
    { ...COPY, source_tag: DIGEST },
    'dest_tag',
  ],
  [
    'TOKEN_DELETE_ALONE',
    scope,
    { api: true, actions: ['delete', 'push'] },
    { api: true, actions: ['delete'] },
    '',
  ],
  ['TOKEN_SCOPE_EMPTY', scope, { registry: true }, {}, ''],
  ['TRUST_TOO_WIDE', conditions, { repository: ['acme/*'] }, { ref: ['refs/heads/main'] }, ''],
  ['URL_INVALID', NewWebhook.shape.url, 'https://hooks.example/a', 'https://me@hooks.example', ''],
  [
    'ISSUER_INVALID',
    OidcSettings.shape.issuer,
    'https://id.example/realm',
    'https://id.example?x=1',
    '',
  ],
  ['USERNAME_INVALID', NewUser.shape.username, 'ada.l', '-ada', ''],
  [
    'USERNAME_REQUIRED',
    RegistryProbe,
    { host: 'r.example', username: 'a', password: 'b' },
    { host: 'r.example', password: 'b' },
    'username',
  ],
  [
    'VULNERABILITY_INVALID',
    NewWaiver,
    WAIVER,
    { ...WAIVER, vulnerability: 'CVE 1' },
    'vulnerability',
  ],
];

describe.each(ROWS)('the rule %s', (code, schema, good, bad, path) => {
  it(`accepts ${JSON.stringify(good)}, not ${JSON.stringify(bad)}`, () => {
    expect(faultsOf(schema, good)).toEqual([]);
    expect(faultsOf(schema, bad)).toContain(`${code} at ${path}`);
  });
});

it('is there for each code that the contract refuses with', async () => {
  const used = new Set<string>();
  for await (const path of glob('**/*.ts', { cwd: import.meta.dirname })) {
    if (path.endsWith('.test.ts')) continue;
    const source = readFileSync(join(import.meta.dirname, path), 'utf8');
    for (const [, code] of source.matchAll(/\b(?:rule|violation)\(\s*'([A-Z_]+)'/g))
      if (code !== undefined) used.add(code);
  }
  expect(used.size).toBeGreaterThan(25);
  const shown = new Set(ROWS.map(([code]) => code));
  expect([...used].filter((code) => !shown.has(code)).sort()).toEqual([]);
});

function faultsOf(schema: Schema | undefined, value: unknown): string[] {
  const { error } = (schema as Schema).safeParse(value, { reportInput: true });
  return (
    error?.issues.flatMap(fieldFaultsOf).map((fault) => `${fault.code} at ${fault.path}`) ?? []
  );
}
