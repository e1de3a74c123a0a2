import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BucketListing,
  errorCode,
  escapeXml,
  parseDeletion,
  parseListing,
} from './bucket-listing.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.trim() !== '');
const listing = fc.record({
  objects: fc.array(
    fc.record({
      key: text,
      size: fc.nat(),
      modifiedAt: fc.nat({ max: 4_000_000_000 }).map((seconds) => seconds * 1000),
    }),
  ),
  prefixes: fc.array(text),
  next: fc.option(text),
});

/** In the format of S3. */
function written({ objects, prefixes, next }: BucketListing): string {
  const contents = objects.map(
    ({ key, size, modifiedAt }) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${new Date(modifiedAt).toISOString()}</LastModified><ETag>&quot;0&quot;</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const common = prefixes.map(
    (each) => `<CommonPrefixes><Prefix>${escapeXml(each)}</Prefix></CommonPrefixes>`,
  );
  const token =
    next === null ? '' : `<NextContinuationToken>${escapeXml(next)}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>docker/</Prefix>${token}<MaxKeys>1000</MaxKeys><IsTruncated>${next !== null}</IsTruncated>${contents.join('')}${common.join('')}</ListBucketResult>
`;
}

describe('a listing', () => {
  it('is parsed, whatever its keys are', () => {
    fc.assert(
      fc.property(listing, (given) => {
        expect(parseListing(written(given))).toEqual(given);
      }),
    );
  });

  it('that is truncated anywhere is refused', () => {
    fc.assert(
      fc.property(listing, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const whole = written(given).trimEnd();
        expect(parseListing(whole.slice(0, Math.floor(part * (whole.length - 1))))).toBeNull();
      }),
    );
  });

  it.each([
    ['an error', '<Error><Code>NoSuchBucket</Code></Error>'],
    ['a page of a proxy', '<html><body>sign in</body></html>'],
    [
      'one that continues without a token',
      written({ objects: [], prefixes: [], next: 'x' }).replace(/<Next.*Token>/, ''),
    ],
    [
      'an object without a size',
      written({
        objects: [{ key: 'a', size: 1, modifiedAt: 0 }],
        prefixes: [],
        next: null,
      }).replace('<Size>1</Size>', ''),
    ],
    [
      'an object of no time',
      written({
        objects: [{ key: 'a', size: 1, modifiedAt: 0 }],
        prefixes: [],
        next: null,
      }).replace('1970-', 'then-'),
    ],
  ])('%s is not a listing', (_, xml) => {
    expect(parseListing(xml)).toBeNull();
  });
});

it.each([
  ['that is empty', '<?xml version="1.0"?><DeleteResult xmlns="x"></DeleteResult>', []],
  ['that is empty, and short', '<DeleteResult xmlns="x"/>', []],
  [
    'with a fault',
    '<DeleteResult><Error><Key>a&amp;b</Key><Code>AccessDenied</Code></Error></DeleteResult>',
    [{ key: 'a&b', code: 'AccessDenied' }],
  ],
  ['that is cut', '<DeleteResult><Error><Key>a</Key>', null],
  ['of something else', '<html></html>', null],
])('an answer to a deletion %s', (_, xml, expected) => {
  expect(parseDeletion(xml)).toEqual(expected);
});

it('the code of an error', () => {
  expect(errorCode('<Error><Code>NoSuchKey</Code><Message>x</Message></Error>')).toBe('NoSuchKey');
  expect(errorCode('Bad Gateway')).toBeNull();
});
