/** What the policy of its folder says of a tagged image now, with the reason and since when. */
import {
  type DestinationStanding,
  judgeSubject,
  type Standing,
  type StandingInput,
  standingOf,
  subjectStanding,
  type Verdict,
} from '@portcullis/domain';
import { NEVER_SCANNED, taggedSubject } from '@portcullis/gate';
import type { AnnouncedStanding, DigestFacts } from '@portcullis/store';

export interface TagJudgement {
  /** Null while no scan says more. */
  passes: boolean | null;
  /** Null without a report. */
  standing: Standing | null;
  answer: DestinationStanding;
  lastScanFailed: boolean;
  scannedAt: Date | null;
  since: Date | null;
  graceUntil: Date | null;
}

interface KnownImage {
  facts: DigestFacts | undefined;
  announced: AnnouncedStanding | undefined;
}

type Judging = Pick<StandingInput, 'policy' | 'waivers' | 'feeds' | 'authorities' | 'now'>;
type TaggedInFolder = Pick<StandingInput['image'], 'repository' | 'digest'> & { folder: string };

export function judgeTag(image: TaggedInFolder, known: KnownImage, judging: Judging): TagJudgement {
  const { facts, announced } = known;
  const isArtifact = announced?.isArtifact ?? false;
  const subject = taggedSubject({ ...image, isArtifact }, facts, judging);
  const judged = judgeSubject({ ...judging, subject });
  const { report, sightedAt, signatures } = facts ?? NEVER_SCANNED;
  const standing =
    subject.kind === 'image'
      ? subject.standing
      : report && standingOf({ ...judging, facts: report.facts, image, sightedAt, signatures });
  // A row that says something else is from before a change that is not announced yet.
  const row = announced?.passes === judged.passes ? announced : undefined;
  const lastScanFailed = subject.kind === 'image' && subject.lastScanFailed;
  const found = report?.counts ?? null;
  const answer = subjectStanding(subject, judged, { standing, found, waivers: judging.waivers });
  return {
    passes: judged.passes,
    standing,
    answer,
    lastScanFailed,
    scannedAt: report?.scannedAt ?? null,
    since: row?.since ?? null,
    graceUntil: judged.passes === false ? laterThan(judging.now, row?.graceUntil) : null,
  };
}

/** The verdict of the report; null where the state of a staging job applies. */
export function verdictOfTag({ standing, lastScanFailed }: TagJudgement): Verdict | null {
  return standing?.verdict ?? (lastScanFailed ? 'error' : null);
}

function laterThan(now: Date, at: Date | null | undefined): Date | null {
  return at && at > now ? at : null;
}
