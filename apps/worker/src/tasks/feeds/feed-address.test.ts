import { describe, expect, it } from 'vitest';
import { parseFeedAddress } from './feed-address.ts';

describe('the address of a feed', () => {
  it.each([
    ['a file by https', 'https://mirror.test/kev.json', { kind: 'file' }],
    ['a file by http', 'http://10.0.0.7:8080/kev.json?x=1', { kind: 'file' }],
    [
      'an artifact by tag',
      'oci://registry.test/feeds/kev:1',
      {
        kind: 'artifact',
        image: { host: 'registry.test', repository: 'feeds/kev', reference: '1' },
      },
    ],
    [
      'an artifact of a host without a dot',
      'oci://registry/kev',
      { kind: 'artifact', image: { host: 'registry', repository: 'kev' } },
    ],
    [
      'an artifact without a tag',
      'oci://localhost:5000/kev',
      { kind: 'artifact', image: { host: 'localhost:5000', reference: 'latest' } },
    ],
    [
      'an artifact by digest',
      `oci://registry.test/kev@sha256:${'a'.repeat(64)}`,
      { image: { reference: `sha256:${'a'.repeat(64)}` } },
    ],
  ])('may be %s', (_, text, expected) => {
    expect(parseFeedAddress(text)).toMatchObject({ text, ...expected });
  });

  it.each([
    ['a path', '/var/lib/kev.json'],
    ['another scheme', 'ftp://mirror.test/kev.json'],
    ['credentials', 'https://ann:secret@mirror.test/kev.json'],
    ['a repository in capitals', 'oci://registry.test/Feeds/kev:1'],
    ['a host alone', 'oci://registry.test'],
  ])('may not be %s', (_, text) => {
    expect(parseFeedAddress(text)).toBeUndefined();
  });
});
