/**
 * Judges tagged images from what the store has, as the doors of their folders would, and keeps the
 * record of what passed, so that a grace period begins when an image is blocked and not when it is
 * pulled.
 */
import { createHash } from 'node:crypto';
import {
  type DestinationStanding,
  graceEnd,
  type JudgedSubject,
  judgeSubject,
  nextRecord,
  outcomeOf,
  type PassRecord,
  type Policy,
  standingChange,
  subjectStanding,
  waiversIn,
} from '@portcullis/domain';
import { type GateRules, taggedSubject } from '@portcullis/gate';
import type {
  DigestFacts,
  DueStanding,
  FolderPassRecord,
  JudgedImageRow,
  StandingMarks,
} from '@portcullis/store';

interface Judging {
  facts: ReadonlyMap<string, DigestFacts>;
  /** By `placeOf`. */
  records: ReadonlyMap<string, PassRecord>;
  current: GateRules;
  marks: StandingMarks;
  now: Date;
}

interface Judged {
  policy: Policy;
  subject: JudgedSubject;
  before: PassRecord | null;
  record: PassRecord | null;
}

export function recordsBy(records: readonly FolderPassRecord[]): Map<string, PassRecord> {
  return new Map(records.map((record) => [keyOf(record), record]));
}

function keyOf({ folder, digest }: Pick<FolderPassRecord, 'folder' | 'digest'>): string {
  return `${folder} ${digest}`;
}

export interface JudgedTag {
  row: JudgedImageRow;
  /** As every list and page states it; few images are announced. */
  standing(): DestinationStanding;
}

export function judge(image: DueStanding, judging: Judging): JudgedTag {
  const { repository, digest, folder, before } = image;
  const { facts, current, marks, now } = judging;
  const { policy, subject, record } = judgeManifest(image, judging);
  const outcome = outcomeOf(subject, policy, now);
  const known = facts.get(digest)?.report ?? null;
  const isEnforced = current.gateOf(folder).pullGate === 'enforce';
  const isServed = outcome.passes === false && isEnforced;
  const row: JudgedImageRow = {
    ...outcome,
    repository,
    digest,
    folder,
    policy: policy.name,
    ...statedPolicy(policy),
    waivers: usedBy(subject),
    mark: marks.folders.get(folder) ?? marks.otherwise,
    reportAt: known?.scannedAt ?? null,
    databaseAt: known?.facts.databaseAt ?? null,
    graceUntil: isServed ? graceEnd({ record, policy, now }) : null,
    isChanged: standingChange(before, outcome) !== null,
  };
  const standing = () =>
    subjectStanding(subject, judgeSubject({ subject, policy, now }), {
      standing: subject.kind === 'image' ? subject.standing : null,
      found: known?.counts ?? null,
      waivers: current.waivers,
    });
  return { row, standing };
}

/** The default policy has no version: its rules are named by their digest. */
function statedPolicy({ id, name: _, version, ...rules }: Policy) {
  const policyDigest = createHash('sha256').update(JSON.stringify(rules)).digest('hex');
  return { policyVersion: id === null ? policyDigest.slice(0, 12) : version, policyDigest };
}

function usedBy(subject: JudgedSubject): string[] {
  const standing = subject.kind === 'image' ? subject.standing : null;
  return standing ? [...new Set(waiversIn(standing))].sort() : [];
}

/** Of the images and of the manifests in an index, which are pulled one by one. */
export function changedRecords(
  images: readonly DueStanding[],
  judging: Judging,
): FolderPassRecord[] {
  const changed = new Map<string, FolderPassRecord>();
  for (const image of images)
    for (const digest of [image.digest, ...image.parts]) {
      const { record, before } = judgeManifest({ ...image, digest }, judging);
      const place = { folder: image.folder, digest };
      if (record && record !== before) changed.set(keyOf(place), { ...place, ...record });
    }
  return [...changed.values()];
}

function judgeManifest(image: DueStanding, { facts, records, current, now }: Judging): Judged {
  const { waivers, feeds, authorities } = current;
  const policy = current.policyOf({ folder: image.folder });
  const judged = { policy, waivers, feeds, authorities, now };
  const subject = taggedSubject(image, facts.get(image.digest), judged);
  const before = records.get(keyOf(image)) ?? null;
  // The record of an artifact would say nothing: no report of it changes.
  const record =
    subject.kind === 'artifact' ? before : nextRecord(before, { subject, policy, now });
  return { policy, subject, before, record };
}
