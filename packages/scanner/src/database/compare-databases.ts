/**
 * Compares two versions of the vulnerability database: which packages could have other findings
 * with the new one. Run as a separate process (`node compare-databases.ts OLD NEW OUTPUT`),
 * because it reads both files to their end.
 */
import { writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { type BucketRoot, type Entry, openTree } from './bbolt-tree.ts';
import { changesOf, packChanges } from './database-changes.ts';

/** Buckets of the database's builders, which Trivy does not read when it scans. */
const UNUSED = new Set(['trivy', 'advisory-detail', 'vulnerability-detail', 'vulnerability-id']);
const DETAILS = 'vulnerability';
const SOURCES = 'data-source';
/** It decides which of Red Hat's advisories apply to a package. */
const RED_HAT_CPE = 'Red Hat CPE';
const RED_HAT = 'Red Hat';

type Changed = (bucket: string, name: string | null) => void;

/**
 * Calls back with each package that changed in a bucket; null stands for all of its packages.
 * @throws BboltDamaged
 */
export async function compareDatabases(
  oldFile: string,
  newFile: string,
  changed: Changed,
): Promise<void> {
  using older = await openTree(oldFile);
  using newer = await openTree(newFile);
  const both = (one: BucketRoot | null, other: BucketRoot | null) =>
    merge(one && older.entries(one), other && newer.entries(other));
  const buckets = new Map(
    [...both(older.root, newer.root)].map(([one, other]) => [
      String(one?.key ?? other?.key),
      { older: one?.bucket ?? null, newer: other?.bucket ?? null },
    ]),
  );
  const details = buckets.get(DETAILS);
  const ids = details ? changedDetails(both(details.older, details.newer)) : new Set<string>();
  const sources = buckets.get(SOURCES);
  if (sources)
    for (const [one, other] of both(sources.older, sources.newer))
      if (!isSameValue(one, other)) changed(String(one?.key ?? other?.key), null);
  for (const [name, { older: one, newer: other }] of buckets) {
    if (UNUSED.has(name) || name === DETAILS || name === SOURCES) continue;
    if (name === RED_HAT_CPE) {
      if (!isSameTree(one, other, both)) changed(RED_HAT, null);
    } else if (!one || !other) changed(name, null);
    else for (const each of changedPackages(both(one, other), both, ids)) changed(name, each);
  }
}

type Pair = [Entry | null, Entry | null];
type Both = (one: BucketRoot | null, other: BucketRoot | null) => Iterable<Pair>;

/** Pairs the entries of two sorted lists by their keys. */
function* merge(
  one: Generator<Entry, void> | null,
  other: Generator<Entry, void> | null,
): Generator<Pair, void> {
  let left = one?.next().value ?? null;
  let right = other?.next().value ?? null;
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : Buffer.compare(left.key, right.key);
    yield [order <= 0 ? left : null, order >= 0 ? right : null];
    if (order <= 0) left = one?.next().value ?? null;
    if (order >= 0) right = other?.next().value ?? null;
  }
}

/** The vulnerabilities whose severity, scores, title, dates or links changed. */
function changedDetails(pairs: Iterable<Pair>): Set<string> {
  const ids = new Set<string>();
  for (const [one, other] of pairs)
    if (!isSameValue(one, other) && !isSameDetail(one?.value, other?.value))
      ids.add(String(one?.key ?? other?.key));
  return ids;
}

/** No report contains these, and they change often. */
const NOT_REPORTED = new Set(['Description', 'LastModifiedDate', 'CweIDs']);

function isSameDetail(one: Buffer | null | undefined, other: Buffer | null | undefined): boolean {
  if (!one || !other) return false;
  try {
    return report(one) === report(other);
  } catch {
    return false;
  }
}

function report(value: Buffer): string {
  return JSON.stringify(JSON.parse(value.toString('utf8')), (key, each) =>
    NOT_REPORTED.has(key) ? undefined : each,
  );
}

/** Null where something in the bucket changed that belongs to no package. */
function* changedPackages(
  pairs: Iterable<Pair>,
  both: Both,
  ids: ReadonlySet<string>,
): Generator<string | null, void> {
  for (const [one, other] of pairs) {
    const name = String(one?.key ?? other?.key);
    const [left, right] = [one?.bucket ?? null, other?.bucket ?? null];
    if (!left && !right) {
      if (!isSameValue(one, other)) yield null;
    } else if (!left || !right || hasChanged(both(left, right), both, ids)) yield name;
  }
}

function hasChanged(pairs: Iterable<Pair>, both: Both, ids: ReadonlySet<string>): boolean {
  for (const [one, other] of pairs) {
    const [left, right] = [one?.bucket ?? null, other?.bucket ?? null];
    if (left || right) {
      if (!left || !right || hasChanged(both(left, right), both, ids)) return true;
    } else if (!isSameValue(one, other) || names(other, ids)) return true;
  }
  return false;
}

const CVE = /CVE-\d+-\d+/g;

/** Whether an advisory refers to one of these, by its key or, as Red Hat's, in its value. */
function names(entry: Entry | null, ids: ReadonlySet<string>): boolean {
  if (!entry || ids.size === 0) return false;
  if (ids.has(String(entry.key))) return true;
  if (!entry.value?.includes('CVE-')) return false;
  return (entry.value.toString('latin1').match(CVE) ?? []).some((id) => ids.has(id));
}

function isSameValue(one: Entry | null, other: Entry | null): boolean {
  return one?.value != null && other?.value != null && one.value.equals(other.value);
}

function isSameTree(one: BucketRoot | null, other: BucketRoot | null, both: Both): boolean {
  if (!one || !other) return one === other;
  for (const [left, right] of both(one, other)) {
    const isBucket = left?.bucket || right?.bucket;
    if (isBucket && !isSameTree(left?.bucket ?? null, right?.bucket ?? null, both)) return false;
    if (!isBucket && !isSameValue(left, right)) return false;
  }
  return true;
}

if (import.meta.filename === argv[1]) {
  const [oldFile = '', newFile = '', output = ''] = argv.slice(2);
  const changes = changesOf();
  await compareDatabases(oldFile, newFile, changes.add);
  await writeFile(output, JSON.stringify(packChanges(changes.changes)));
}
