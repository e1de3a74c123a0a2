import { expect, it } from 'vitest';
import { formatOf } from '../../i18n/format.ts';
import { waiverWords as t } from '../../locales/generated/en/pages.bundle.ts';
import { scopeText } from './waiver-words.ts';

const WIDEST = {
  ...{ package: null, package_version: null, folder: null, repository: null, digest: null },
};

it.each([
  [{}, 'every image'],
  [{ package: 'openssl' }, 'package openssl'],
  [{ package: 'openssl', package_version: '3.0.11' }, 'package openssl 3.0.11'],
  [{ package: 'openssl', folder: 'team' }, 'package openssl and folder team'],
  [
    { repository: 'team/app', digest: `sha256:${'1234567890'.repeat(6)}1234` },
    'repository team/app and digest sha256:123456789012…',
  ],
])('the scope %j is said as "%s"', (scope, words) => {
  expect(scopeText({ ...WIDEST, ...scope }, t, formatOf('en'))).toBe(words);
});
