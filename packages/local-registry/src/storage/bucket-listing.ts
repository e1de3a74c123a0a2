/**
 * Parses S3's XML answers. ListObjectsV2
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html), as far as we use it.
 */
export interface BucketListing {
  objects: { key: string; size: number; modifiedAt: number }[];
  /** With a delimiter: the common prefixes of deeper keys. */
  prefixes: string[];
  /** Token of the next page; null on the last. */
  next: string | null;
}

/** Null for anything else: a truncated listing must not be taken for a complete one. */
export function parseListing(xml: string): BucketListing | null {
  const whole = /<ListBucketResult[\s>][\s\S]*<\/ListBucketResult>\s*$/.exec(xml)?.[0];
  if (whole === undefined) return null;
  const objects = elements(whole, 'Contents').map(objectIn);
  const prefixes = elements(whole, 'CommonPrefixes').map((each) => textIn(each, 'Prefix'));
  const isCut = textIn(whole.replace(PARTS, ''), 'IsTruncated') === 'true';
  const next = textIn(whole.replace(PARTS, ''), 'NextContinuationToken');
  if (isCut && next === null) return null;
  if (objects.some((each) => each === null) || prefixes.some((each) => each === null)) return null;
  return {
    objects: objects.filter((each) => each !== null),
    prefixes: prefixes.filter((each) => each !== null),
    next: isCut ? next : null,
  };
}

const PARTS = /<(Contents|CommonPrefixes)>[\s\S]*?<\/\1>/g;

function objectIn(xml: string): BucketListing['objects'][number] | null {
  const [key, size, modified] = ['Key', 'Size', 'LastModified'].map((name) => textIn(xml, name));
  const modifiedAt = Date.parse(modified ?? '');
  if (key == null || !/^\d+$/.test(size ?? '') || Number.isNaN(modifiedAt)) return null;
  return { key, size: Number(size), modifiedAt };
}

/**
 * What DeleteObjects could not delete: empty for a complete success; null for anything other than
 * such an answer.
 */
export function parseDeletion(xml: string): { key: string; code: string }[] | null {
  if (!/<DeleteResult[\s\S]*(?:<\/DeleteResult>|\/>)\s*$/.test(xml)) return null;
  return elements(xml, 'Error').map((each) => ({
    key: textIn(each, 'Key') ?? '',
    code: textIn(each, 'Code') ?? '',
  }));
}

/** The code in an error answer, such as `NoSuchKey`; null where it has none. */
export function errorCode(xml: string): string | null {
  return textIn(xml, 'Code');
}

function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner = '']) => inner,
  );
}

function textIn(xml: string, name: string): string | null {
  const inner = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return inner === undefined ? null : unescaped(inner);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
