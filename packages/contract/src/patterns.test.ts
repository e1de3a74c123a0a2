import { SEVERITIES } from '@portcullis/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contract from './index.ts';
import * as patterns from './patterns.ts';

const { NewRegistry, NewSchedule, OidcSettings } = contract;

/** Each pattern with a request field that uses it. */
const FIELDS: [string, string, z.ZodType, number][] = [
  ['a repository', patterns.REPOSITORY, contract.PullRequest.shape.image, 255],
  ['a tag', patterns.TAG, contract.PushRequest.shape.target_tag, 128],
  ['a tag or digest', patterns.TAG_OR_DIGEST, contract.PullRequest.shape.tag, 135],
  ['a host', patterns.HOST, NewRegistry.shape.host, 261],
  ['a name', patterns.NONBLANK, NewRegistry.shape.name, 128],
  ['a group', patterns.NONBLANK_LINE, contract.NewGroup.shape.name, 128],
  ['a folder', patterns.FOLDER, contract.NewFolder.shape.name, 128],
  ['an account', patterns.USERNAME, contract.NewUser.shape.username, 128],
  ['the URL of a proxy', patterns.PROXY_URL, contract.ProxySettings.shape.http_proxy, 4_096],
  ['a mail address', patterns.MAIL_ADDRESS, contract.EmailSettings.shape.from_address, 320],
  [
    'a path of a machine',
    patterns.ABSOLUTE_PATH,
    contract.SyslogSettings.shape.syslog_tls_ca_cert,
    4_096,
  ],
  ['an issuer', patterns.ISSUER, OidcSettings.shape.issuer, 1_000],
  ['the URL of a webhook', patterns.WEBHOOK_URL, contract.NewWebhook.shape.url, 2_048],
  ['a path of this site', patterns.LOCAL_PATH, z.string().refine(contract.isLocalPath), 2_000],
  ['times', patterns.CRON, NewSchedule.shape.cron, 100],
  ['an image', patterns.IMAGE, contract.contract.trivy.scanImage.body.shape.image, 512],
];

const exceptions = patterns.FOLDER_EXCEPTIONS;
/**
 * Names that the `not` of folders excludes, and punycode, which encodes another script and may be
 * invalid.
 */
function isExcepted(text: string): boolean {
  return (
    /xn--/i.test(text) ||
    exceptions.some(
      ({ enum: words, pattern }) =>
        words?.includes(text) || (pattern && new RegExp(pattern).test(text)),
    )
  );
}

describe('C4a: what the document says of a field', () => {
  it.each(FIELDS)('%s that fits is taken', (_, pattern, schema, longest) => {
    const fitting = fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => text.length <= longest && !isExcepted(text));
    fc.assert(fc.property(fitting, (text) => schema.safeParse(text).success));
  });

  it.each<[string, string, string[], string[]]>([
    [
      'repositories',
      patterns.REPOSITORY,
      ['library/nginx', 'a__b/c-d.e'],
      ['Library/nginx', 'a//b', '/a', 'a:1'],
    ],
    [
      'hosts',
      patterns.HOST,
      [
        'registry.example:5000',
        '[::1]:5000',
        '10.0.0.1',
        '[2001:db8::8a2e:1]',
        '1password.com',
        'localhost.',
      ],
      ['https://a', 'a:0', 'a:65536', '256.1.1.1', '[::1::2]', 'a_b'],
    ],
    [
      'references',
      patterns.TAG_OR_DIGEST,
      ['1.29', `sha256:${'a'.repeat(64)}`],
      ['.1', 'sha256:aa', ''],
    ],
    [
      'times',
      patterns.CRON,
      ['0 3 * * *', '*/5 8-18 * JAN-MAR MON,FRI', '0 0 3 1 * *'],
      ['3 * *', '60 * * * *', '0 24 * * *'],
    ],
    ['folders', patterns.FOLDER, ['team', 'team-a.b'], ['_team', 'Team', 'a--b', '-a']],
    [
      'mail addresses',
      patterns.MAIL_ADDRESS,
      ['a@example.org', 'Ann <a@example.org>'],
      ['a', 'a@b@c', 'Ann <a>'],
    ],
    [
      'images',
      patterns.IMAGE_LENGTH,
      ['a:1', 'a', `${'a'.repeat(255)}@sha256:1`],
      ['', ':1', 'a'.repeat(256)],
    ],
    ['local paths', patterns.LOCAL_PATH, ['/', '/images?q=1'], ['//evil.example', '/\\evil', 'x']],
  ])('%s: examples and counter-examples', (_, pattern, fitting, others) => {
    const fits = (text: string) => new RegExp(pattern).test(text);
    expect(fitting.filter((text) => !fits(text))).toEqual([]);
    expect(others.filter(fits)).toEqual([]);
  });

  it('reads the same in JavaScript, Python and RE2', () => {
    const all = Object.entries(patterns).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const special = all.filter(
      ([, pattern]) => /\\[pPukb]|\(\?(?!:)/.test(pattern) || !compiles(pattern),
    );
    expect(special).toEqual([]);
  });

  it('knows that each severity may be given once', () => {
    expect(z.toJSONSchema(contract.ScanPolicyChange)).toMatchObject({
      properties: { severities: { uniqueItems: true, maxItems: SEVERITIES.length } },
    });
  });
});

function compiles(pattern: string): boolean {
  return ['', 'u'].every((flags) => new RegExp(pattern, flags) instanceof RegExp);
}
