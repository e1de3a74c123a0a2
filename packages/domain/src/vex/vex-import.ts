/**
 * OpenVEX document → waivers to request. Only `not_affected` becomes one. What can't be narrowed to
 * the same images and packages is skipped, because a waiver must not cover more than the statement.
 */
import { isDigest, isRepository } from '@portcullis/oci';
import { isOfOneImage, type VexJustification, type WaiverScope } from '../waivers/waiver.ts';
import type { VexComponent, VexDocument, VexProduct, VexStatement } from './openvex.ts';
import {
  type PackageUrl,
  packageNameOf,
  packageVersionOf,
  parsePackageUrl,
} from './package-url.ts';

export const VEX_SKIP_REASONS = [
  'AFFECTED',
  'FIXED',
  'UNDER_INVESTIGATION',
  'SUPERSEDED',
  'ALREADY_REQUESTED',
  'REASON_MISSING',
  'VULNERABILITY_UNSUPPORTED',
  'PRODUCT_MISSING',
  'PRODUCT_UNSUPPORTED',
  'SUBCOMPONENT_UNSUPPORTED',
] as const;
type VexSkipReason = (typeof VEX_SKIP_REASONS)[number];

interface VexWaiver extends Omit<WaiverScope, 'folder'> {
  /** Position of the statement in the document. */
  statement: number;
  justification: VexJustification | null;
  reason: string;
}

export interface SkippedStatement {
  statement: number;
  reason: VexSkipReason;
}

export interface VexImport {
  waivers: VexWaiver[];
  /** Each statement and reason once. */
  skipped: SkippedStatement[];
}

/** The digest or repository of a product, and a package of it; null: the whole product. */
type WaivedPart = Pick<WaiverScope, 'package' | 'packageVersion' | 'repository' | 'digest'>;

interface WaivedStatement extends WaivedPart {
  statement: VexStatement;
  at: number;
  vulnerability: string;
}

const VULNERABILITY = /^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$/;
const MOST_REASON_CHARACTERS = 2_000;
/** Images and packages of all statements, which are compared with each other. */
const MOST_PARTS = 5_000;

/**
 * Null where the statements are about more than `MOST_PARTS` images and packages.
 * @param ownHosts hosts of this installation's registry, in lower case
 */
export function waiversOfVex(document: VexDocument, ownHosts: readonly string[]): VexImport | null {
  if (countParts(document) > MOST_PARTS) return null;
  const skipped = new Map<string, SkippedStatement>();
  const skip = (statement: number, reason: VexSkipReason) =>
    void skipped.set(`${statement} ${reason}`, { statement, reason });
  const named = document.statements.flatMap((statement, at): WaivedStatement[] => {
    const vulnerability = vulnerabilityOf(statement);
    if (vulnerability === null) {
      skip(at, 'VULNERABILITY_UNSUPPORTED');
      return [];
    }
    const ignore = (reason: VexSkipReason) => skip(at, STATUS_REASONS[statement.status] ?? reason);
    return partsOf(statement, ownHosts, ignore).map((part) => ({
      ...part,
      statement,
      at,
      vulnerability,
    }));
  });
  const latest = new Set(effective(named, document));
  const waivers = named.flatMap((each): VexWaiver[] => {
    const reason = latest.has(each) ? STATUS_REASONS[each.statement.status] : 'SUPERSEDED';
    if (reason !== null) skip(each.at, reason);
    const why = reasonOf(each.statement);
    if (reason === null && why === null) skip(each.at, 'REASON_MISSING');
    return reason !== null || why === null ? [] : [waiverOf(each, why)];
  });
  return { waivers, skipped: [...skipped.values()] };
}

function countParts({ statements }: VexDocument): number {
  const counts = statements.flatMap(({ products = [] }) =>
    products.map(({ subcomponents = [] }) => Math.max(1, subcomponents.length)),
  );
  return counts.reduce((sum, each) => sum + each, 0);
}

const STATUS_REASONS: Record<VexStatement['status'], VexSkipReason | null> = {
  not_affected: null,
  affected: 'AFFECTED',
  fixed: 'FIXED',
  under_investigation: 'UNDER_INVESTIGATION',
};

function waiverOf(
  {
    vulnerability,
    package: name,
    packageVersion,
    repository,
    digest,
    statement,
    at,
  }: WaivedStatement,
  reason: string,
): VexWaiver {
  const { justification = null } = statement;
  const scope = { vulnerability, package: name, packageVersion, repository, digest };
  return { ...scope, statement: at, justification, reason };
}

/** The name that scanners use: a CVE id where there is one. */
function vulnerabilityOf({ vulnerability: { name, aliases = [] } }: VexStatement): string | null {
  const named = [name, ...aliases].find((text) => /^CVE-\d{4}-\d{4,}$/.test(text)) ?? name;
  return VULNERABILITY.test(named) && !isOfOneImage(named) ? named : null;
}

/** The specification wants a justification or an impact statement. */
function reasonOf({ justification, impact_statement, status_notes }: VexStatement): string | null {
  const text =
    impact_statement?.trim() || (justification && (status_notes?.trim() || justification));
  return text ? text.slice(0, MOST_REASON_CHARACTERS) : null;
}

function partsOf(
  { products = [] }: VexStatement,
  ownHosts: readonly string[],
  skip: (reason: VexSkipReason) => void,
): WaivedPart[] {
  if (products.length === 0) skip('PRODUCT_MISSING');
  return products.flatMap((product): WaivedPart[] => {
    const image = imageOf(product, ownHosts);
    if (!image) {
      skip('PRODUCT_UNSUPPORTED');
      return [];
    }
    const { subcomponents = [] } = product;
    if (subcomponents.length === 0) return [{ ...image, package: null, packageVersion: null }];
    return subcomponents.flatMap((component) => {
      const found = packageOf(component);
      if (found) return [{ ...image, ...found }];
      skip('SUBCOMPONENT_UNSUPPORTED');
      return [];
    });
  });
}

function packageOf(component: VexComponent): Pick<WaivedPart, 'package' | 'packageVersion'> | null {
  const purl = packageUrlOf(component);
  if (!purl) return null;
  const name = packageNameOf(purl);
  const packageVersion = packageVersionOf(purl);
  return isLine(name) && (packageVersion === null || isLine(packageVersion))
    ? { package: name, packageVersion }
    : null;
}

const MOST_NAME_CHARACTERS = 255;

function isLine(text: string): boolean {
  return text !== '' && text.length <= MOST_NAME_CHARACTERS && !/\p{Cc}/u.test(text);
}

function packageUrlOf({ '@id': id = '', identifiers }: VexComponent): PackageUrl | null {
  return parsePackageUrl(identifiers?.purl ?? id);
}

/** Null unless the product is an image by digest, or a whole repository of this registry. */
function imageOf(
  product: VexProduct,
  ownHosts: readonly string[],
): Pick<WaivedPart, 'repository' | 'digest'> | null {
  const { '@id': id = '', identifiers, hashes } = product;
  const hashed = hashes?.['sha-256'];
  const byHash = hashed === undefined ? null : `sha256:${hashed.toLowerCase()}`;
  if (byHash !== null && !isDigest(byHash)) return null;
  const text = identifiers?.purl ?? id;
  if (!/^pkg:/i.test(text)) {
    const digest = isDigest(text) ? text : byHash;
    return digest === null || (byHash !== null && digest !== byHash)
      ? null
      : { digest, repository: null };
  }
  const purl = parsePackageUrl(text);
  return purl?.type === 'oci' ? imageByUrl(purl, byHash, ownHosts) : null;
}

function imageByUrl(
  { version, qualifiers }: PackageUrl,
  byHash: string | null,
  ownHosts: readonly string[],
): Pick<WaivedPart, 'repository' | 'digest'> | null {
  if (version !== null && !isDigest(version)) return null;
  if (version !== null && byHash !== null && version !== byHash) return null;
  const digest = version ?? byHash;
  const url = (qualifiers.get('repository_url') ?? '').replace(/^https?:\/\//i, '');
  const cut = url.indexOf('/');
  const host = url.slice(0, Math.max(cut, 0)).toLowerCase();
  const repository = url.slice(cut + 1);
  // A repository has no wildcards; another registry's repository says nothing about ours.
  if (!ownHosts.includes(host)) return digest === null ? null : { digest, repository: null };
  // Without a digest, a tag would be widened to its repository.
  if (!isRepository(repository) || (digest === null && qualifiers.has('tag'))) return null;
  return { digest, repository };
}

/**
 * Of statements about the same vulnerability, image and package, the latest is effective. A
 * statement about a whole image replaces earlier ones about its packages; a later one that says
 * anything but `not_affected` of a package replaces those about its whole image.
 */
function effective(
  named: readonly WaivedStatement[],
  { timestamp }: VexDocument,
): WaivedStatement[] {
  const timeOf = ({ statement }: WaivedStatement) => Date.parse(statement.timestamp ?? timestamp);
  const ordered = named.toSorted((one, other) => timeOf(one) - timeOf(other) || one.at - other.at);
  const images = new Map<string, Map<string | null, Map<string, WaivedStatement>>>();
  for (const each of ordered) {
    const key = JSON.stringify([each.vulnerability, each.digest ?? each.repository]);
    const packages = images.get(key) ?? new Map<string | null, Map<string, WaivedStatement>>();
    images.set(key, packages);
    const agrees = each.statement.status === 'not_affected';
    if (each.package === null) packages.clear();
    else if (!agrees) packages.delete(null);
    // Another repository of the digest, or another version, is another place if neither is
    // affected. A package that is affected in one version is affected: the strict side.
    const known = packages.get(each.package);
    const [first] = known?.values() ?? [];
    const keeps = agrees && first?.statement.status === 'not_affected';
    const parts = keeps && known ? known : new Map<string, WaivedStatement>();
    parts.set(JSON.stringify([each.repository, each.packageVersion]), each);
    packages.set(each.package, parts);
  }
  return [...images.values()].flatMap((packages) =>
    [...packages.values()].flatMap((parts) => [...parts.values()]),
  );
}
