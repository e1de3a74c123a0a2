/**
 * Common parts of the merged documents (SARIF, CycloneDX, SPDX): platforms are read one after the
 * other, never all at once.
 */
import { formatPinnedImage, ownName, type PinnedImage } from '@portcullis/domain';

/** The label that distinguishes the platforms of one image in a document. */
export interface Labelled {
  /** `linux/arm64`; followed by a digest where an index has the platform twice. */
  label: string;
  digest: string;
}

/** One platform's report in the format of the document. */
export interface ReportPart extends Labelled {
  /** Parses the file at each call: a document is read once for each of its sections. */
  load(): Promise<unknown>;
}

export interface MergedImage {
  name: PinnedImage;
  parts: ReportPart[];
}

export type Document = AsyncIterable<string>;

const UNKNOWN = 'unknown';

/** Labels stay distinct in formats that allow fewer characters, too. */
export function labelPlatforms<T extends { platform: string | null; digest: string }>(
  reports: T[],
): (T & Labelled)[] {
  const names = reports.map(({ platform }) => platform ?? UNKNOWN);
  const times = Map.groupBy(names, plain);
  return reports.map((report, position) => {
    const name = names[position] ?? UNKNOWN;
    const isAlone = times.get(plain(name))?.length === 1;
    return { ...report, label: isAlone ? name : `${name}-${shortDigest(report.digest)}` };
  });
}

/** Keeps letters, digits, dots and dashes: what an SPDX identifier may contain. */
export function plain(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9.]+/g, '-');
}

function shortDigest(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1).slice(0, 12);
}

/** https://github.com/package-url/purl-spec/blob/main/types/oci-definition.json */
export function purlOf({ registry, repository, digest, tag }: PinnedImage): string {
  const qualifiers = [
    `repository_url=${encodeURIComponent(`${registry}/${repository}`)}`,
    ...(tag === null ? [] : [`tag=${encodeURIComponent(tag)}`]),
  ];
  return `pkg:oci/${ownName(repository)}@${encodeURIComponent(digest)}?${qualifiers.join('&')}`;
}

export function titleOf({ name }: MergedImage): string {
  return formatPinnedImage(name);
}

/**
 * The first platform's document provides the metadata of the whole document: version, tools, time.
 */
export async function firstOf<T>({ parts }: MergedImage, parse: (text: unknown) => T): Promise<T> {
  const [first] = parts;
  if (!first) throw new TypeError('a document needs at least one report');
  return parse(await first.load());
}

/** Writes an object as JSON with one streamed member: `{...head, [key]: [...items]}`, left open. */
export function arrayMember(key: string, items: AsyncIterable<unknown>): Document {
  return textMember(key, textsOf(items));
}

async function* textsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}

/** The same for items that are JSON already. */
export async function* textMember(key: string, items: AsyncIterable<string>): Document {
  yield `${JSON.stringify(key)}: [`;
  let separator = '\n';
  for await (const item of items) {
    yield separator + item;
    separator = ',\n';
  }
  yield '\n]';
}

/** Writes an object whose last members are streamed. */
export async function* objectWith(head: object, members: Document[]): Document {
  yield JSON.stringify(head, null, 2).replace(/\n?\}$/, '');
  let separator = Object.keys(head).length > 0 ? ',\n' : '\n';
  for (const member of members) {
    yield separator;
    yield* member;
    separator = ',\n';
  }
  yield '\n}\n';
}
