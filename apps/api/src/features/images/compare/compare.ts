/**
 * Compares two images of a registry by their manifests, configurations, stored reports and stored
 * lists of packages. Nothing is scanned for it.
 */
import { type ComparableImage, compareImages, type ImageDifferences } from '@portcullis/domain';
import { AppError, isAppError } from '@portcullis/errors';
import { platformName } from '@portcullis/oci';
import type { StoredPackages } from '@portcullis/scanner';
import type { StoredReport } from '@portcullis/store';
import { digestOfChosen, nameOfChosen, type StoredScans } from '../packages/stored-scans.ts';
import { type ImageContent, patienceOf, readImage } from '../read-image.ts';
import {
  noImage,
  type OpenedRepository,
  type RegistryScope,
  type Repositories,
} from '../repositories.ts';

export interface ComparePorts {
  repositories: Pick<Repositories, 'open'>;
  scans: StoredScans;
}

export interface CompareQuery {
  from: { repository: string; reference: string };
  to: { repository: string; reference: string };
  platform: string | undefined;
}

/** The fields of the request that name a side. */
export interface SideFields {
  repository: string;
  reference: string;
}

export interface ComparedSide {
  repository: string;
  reference: string;
  content: ImageContent;
  digest: string;
  platform: string | null;
  size: number;
  report: StoredReport | null;
  packages: StoredPackages;
}

export interface ComparedPair {
  from: ComparedSide;
  to: ComparedSide;
  /** That both images have. */
  platforms: string[];
  differences: ImageDifferences;
}

const FROM: SideFields = { repository: 'repository', reference: 'from' };
const TO: SideFields = { repository: 'to_repository', reference: 'to' };

interface ReadSide {
  opened: OpenedRepository;
  reference: string;
  content: ImageContent;
}

export function createCompare({ repositories, scans }: ComparePorts) {
  return async function compare(scope: RegistryScope, query: CompareQuery): Promise<ComparedPair> {
    const open = (repository: string, { repository: field }: SideFields) =>
      namingField(field, () => repositories.open(scope, repository, 'pull'));
    const first = await open(query.from.repository, FROM);
    const isSame = query.to.repository === query.from.repository;
    const second = isSame ? first : await open(query.to.repository, TO);
    const signal = patienceOf(scope);
    const read = (platform: string | undefined) =>
      Promise.all([
        readSide(first, { ...query.from, platform, field: FROM.reference }, signal),
        readSide(second, { ...query.to, platform, field: TO.reference }, signal),
      ]);
    const sides = await inOnePlatform(await read(query.platform), query.platform, read);
    const [from, to] = await Promise.all(sides.map((side) => withReport(scope, side)));
    if (!from || !to) throw new TypeError('two images are compared');
    const differences = await compareImages(comparableOf(from), comparableOf(to));
    return { from, to, platforms: commonPlatforms(sides), differences };
  };

  async function withReport({ principal }: RegistryScope, side: ReadSide): Promise<ComparedSide> {
    const { opened, reference, content } = side;
    const image = { opened, content, principal };
    const [report, packages] = await Promise.all([scans.report(image), scans.packages(image)]);
    return {
      repository: opened.name,
      reference,
      content,
      digest: digestOfChosen(content),
      platform: nameOfChosen(content),
      size: content.chosen?.size ?? content.size,
      report,
      packages,
    };
  }
}

interface SideQuery {
  repository: string;
  reference: string;
  platform: string | undefined;
  field: string;
}

async function readSide(
  opened: OpenedRepository,
  { repository, reference, platform, field }: SideQuery,
  signal: AbortSignal,
): Promise<ReadSide> {
  const content = await namingField(field, () =>
    opened.ask(noImage(repository, reference), (each) =>
      readImage(each, { repository, tag: reference, platform }, signal),
    ),
  );
  return { opened, reference, content };
}

type Sides = [ReadSide, ReadSide];

/** Without a platform in the request, both images are read for one that both have, if any. */
async function inOnePlatform(
  sides: Sides,
  wanted: string | undefined,
  read: (platform: string) => Promise<Sides>,
): Promise<Sides> {
  const [from, to] = sides.map(({ content }) => nameOfChosen(content));
  const [common] = commonPlatforms(sides);
  return wanted !== undefined || from === to || common === undefined ? sides : read(common);
}

function commonPlatforms([from, to]: Sides): string[] {
  const names = ({ content }: ReadSide) =>
    content.platforms.map(({ platform }) => platformName(platform));
  const others = new Set(names(to));
  return [...new Set(names(from))].filter((name) => others.has(name));
}

function comparableOf({ content, size, report, packages }: ComparedSide): ComparableImage {
  const isJudged = report !== null && report.report.coverage !== 'none';
  return {
    size,
    layers: content.layers,
    configuration: content.config,
    packages: 'absent' in packages ? null : packages.packages,
    vulnerabilities: isJudged ? report.report.vulnerabilities : null,
  };
}

const ABOUT_FIELDS = new Set(['forbidden', 'not_found']);

/** A refusal names the field of the image that it concerns. */
async function namingField<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isAppError(cause) || !ABOUT_FIELDS.has(cause.kind)) throw cause;
    const { kind, code, message } = cause;
    const path = { PLATFORM_UNKNOWN: 'platform', REGISTRY_UNKNOWN: 'registry_id' }[code] ?? field;
    const errors = [{ path, code, params: {}, message }];
    throw new AppError(kind, code, message, { cause, detail: { ...cause.detail, errors } });
  }
}
