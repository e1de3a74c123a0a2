/** The reports of an image's platforms, as the merged documents take them: one after the other, never all at once. */
import { formatImageName, type ImageName } from '@portcullis/domain';

/** What tells the platforms of one image apart in a document. */
export interface Labelled {
  /** `linux/arm64`; with a digest behind it where an index has the platform twice. */
  label: string;
  digest: string;
}

/** A platform's report in the format of the document. */
export interface ReportPart extends Labelled {
  /** Parses it anew at each call: a document is read once for each of its sections. */
  load(): Promise<unknown>;
}

export interface MergedImage {
  name: ImageName;
  parts: ReportPart[];
}

export type Document = AsyncIterable<string>;

const UNKNOWN = 'unknown';

/** Labels stay apart also where a format allows fewer characters. */
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

/** Letters, digits, dots and dashes alone: what an SPDX identifier may hold. */
export function plain(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9.]+/g, '-');
}

function shortDigest(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1).slice(0, 12);
}

/** https://github.com/package-url/purl-spec/blob/main/types/oci-definition.json */
export function purlOf({ registry, repository, digest, tag }: ImageName): string {
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const qualifiers = [
    `repository_url=${encodeURIComponent(`${registry}/${repository}`)}`,
    ...(tag === null ? [] : [`tag=${encodeURIComponent(tag)}`]),
  ];
  return `pkg:oci/${name}@${encodeURIComponent(digest)}?${qualifiers.join('&')}`;
}

export function titleOf({ name }: MergedImage): string {
  return formatImageName(name);
}

/** The first platform's document gives what is of the document as a whole: version, tools, time. */
export async function firstOf<T>({ parts }: MergedImage, parse: (text: unknown) => T): Promise<T> {
  const [first] = parts;
  if (!first) throw new TypeError('a document is made of one report at least');
  return parse(await first.load());
}

/** The members of an object as JSON, one of which is a stream: `{...head, [key]: [...items]}`, left open. */
export async function* arrayMember(key: string, items: AsyncIterable<unknown>): Document {
  yield `${JSON.stringify(key)}: [`;
  let separator = '\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield '\n]';
}

/** An object whose last members are streams. */
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
