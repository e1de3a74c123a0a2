/** What a review request asks to accept, with what a decision about each of it needs. */
import { Alert, Anchor, Button, Checkbox, Group } from '@mantine/core';
import type { ReviewDetail } from '@portcullis/contract';
import { AGE, askedIds, SIGNATURE } from '@portcullis/domain';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { withChoice } from '../../kit/form/chosen.ts';
import { OutsideLink } from '../../kit/text/outside-link.tsx';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';
import { Scores } from '../../kit/verdict/scores.tsx';
import { SeverityBadge } from '../../kit/verdict/severity-badge.tsx';
import { Signatures } from '../images/standing/signatures.tsx';
import { UnsignedBadge, WaitBadge } from './asked-facts.tsx';
import classes from './reviews.module.css';

type Finding = ReviewDetail['findings'][number];

interface ReviewFindingsProps {
  review: ReviewDetail;
  selected: ReadonlySet<string>;
  /** Absent where the account can't decide. */
  onSelect?: ((selected: ReadonlySet<string>) => void) | undefined;
}

export function ReviewFindings({ review, selected, onSelect }: ReviewFindingsProps) {
  const [t, format] = useWords('reviews');
  const { title: signaturesTitle } = useMessages('signed');
  const { findings, age, signatures } = review;
  const ids = askedIds(review);
  const isAll = selected.size === ids.length;
  const box = (id: string, label: string) =>
    onSelect && (
      <Checkbox
        size="md"
        aria-label={label}
        checked={selected.has(id)}
        onChange={({ currentTarget: { checked } }) => onSelect(withChoice(selected, id, checked))}
      />
    );
  const lack = age ? t.age : signaturesTitle;
  const exploited = findings.filter(({ kev }) => kev).length;
  return (
    <section aria-label={t.list}>
      {onSelect && exploited > 0 && (
        <Alert color="red" variant="light" mb="sm" icon={<IconAlertTriangle size={18} />}>
          {t.warnExploited(exploited)}
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <h3>{findings.length > 0 ? t.list : lack}</h3>
        {onSelect && (
          <Group gap="xs">
            <span className={classes.quiet} aria-live="polite">
              {t.chosen(format.number(selected.size), format.number(ids.length))}
            </span>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => onSelect(new Set(isAll ? [] : ids))}
            >
              {isAll ? t.selectNone : t.selectAll}
            </Button>
          </Group>
        )}
      </Group>
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <li key={finding.vulnerability}>
            {box(finding.vulnerability, t.select(finding.vulnerability))}
            <FindingFacts finding={finding} />
          </li>
        ))}
        {age && (
          <li>
            {box(AGE, t.selectAge)}
            <AgeFacts age={age} decision={review.decision} />
          </li>
        )}
        {signatures && (
          <li>
            {box(SIGNATURE, t.selectSignatures)}
            <SignatureFacts signatures={signatures} decision={review.decision} />
          </li>
        )}
      </ul>
    </section>
  );
}

interface AgeFactsProps extends Pick<ReviewDetail, 'decision'> {
  age: NonNullable<ReviewDetail['age']>;
}

/** What an age is accepted for, and what happens without a decision. */
function AgeFacts({ age, decision }: AgeFactsProps) {
  const [t, format] = useWords('reviews');
  const { sighted_at: seen, waits_until: until, approved } = age;
  return (
    <div className={classes.finding}>
      <span className={classes.findingHead}>
        <WaitBadge until={until} />
        <b>{t.tooYoung}</b>
        {approved !== null && (
          <span className={classes.quiet}>{approved ? t.accepted : t.notAccepted}</span>
        )}
        {decision?.waits_until === null && <span className={classes.quiet}>{t.stopped}</span>}
      </span>
      <span>
        {seen !== null && `${t.firstSeen(format.dateTime(seen))} `}
        {t.ageAlone}
      </span>
    </div>
  );
}

interface SignatureFactsProps extends Pick<ReviewDetail, 'decision'> {
  signatures: NonNullable<ReviewDetail['signatures']>;
}

/** What the image lacks, as its policy asks now, and what an approval is good for. */
function SignatureFacts({ signatures: { approved }, decision }: SignatureFactsProps) {
  const t = useMessages('reviews');
  const isMet = decision?.signatures.every(({ code }) => code === null);
  return (
    <div className={classes.finding}>
      <span className={classes.findingHead}>
        <UnsignedBadge />
        {approved !== null && (
          <span className={classes.quiet}>{approved ? t.accepted : t.notAccepted}</span>
        )}
        {isMet && <span className={classes.quiet}>{t.stopped}</span>}
      </span>
      {decision && <Signatures decision={decision} />}
      <span>{t.signaturesAlone}</span>
    </div>
  );
}

function FindingFacts({ finding }: { finding: Finding }) {
  const t = useMessages('reviews');
  const { vulnerability: id, cvss_score: cvss, epss, approved, blocks } = finding;
  return (
    <div className={classes.finding}>
      <span className={classes.findingHead}>
        <SeverityBadge severity={finding.severity} />
        {finding.kev && <ExploitedBadge />}
        <b>
          <Anchor component={Link} to={`/vulnerabilities/${id}`} title={t.everywhere} inherit>
            {id}
          </Anchor>
        </b>
        <Scores cvss={cvss} epss={epss} />
        {approved !== null && (
          <span className={classes.quiet}>{approved ? t.accepted : t.notAccepted}</span>
        )}
        {blocks === false && <span className={classes.quiet}>{t.stopped}</span>}
        {finding.primary_url && <OutsideLink href={finding.primary_url}>{t.advisory}</OutsideLink>}
      </span>
      {finding.title && (
        <span className={classes.findingTitle} lang="en">
          {finding.title}
        </span>
      )}
      <Packages finding={finding} />
      <Earlier earlier={finding.earlier} />
    </div>
  );
}

const MOST_PACKAGES = 3;

function Packages({ finding: { packages, packages_total: total } }: { finding: Finding }) {
  const t = useMessages('reviews');
  const shown = packages.slice(0, MOST_PACKAGES);
  return (
    <ul className={classes.packages}>
      {shown.map(({ name, installed_version: version, fixed_version: fixed, in_base }) => (
        <li key={`${name} ${version}`}>
          <b>{name}</b> {version} ·{' '}
          {fixed === null ? t.noFix : <span className={classes.fix}>{t.fix(fixed)}</span>}
          {in_base !== null && ` · ${in_base ? t.inBase : t.inOwn}`}
        </li>
      ))}
      {total > shown.length && <li>{t.morePackages(total - shown.length)}</li>}
    </ul>
  );
}

function Earlier({ earlier }: Pick<Finding, 'earlier'>) {
  const [t, format] = useWords('reviews');
  if (earlier.length === 0) return null;
  return (
    <details className={classes.earlier}>
      <summary>
        {t.earlier}
        {format.colon}
        {format.list(
          [...Map.groupBy(earlier, ({ decision }) => decision)].map(([decision, { length }]) =>
            t.earlierTimes(t.earlierDecisions[decision], length),
          ),
        )}
      </summary>
      <ul>
        {earlier.map((each) => (
          <li key={`${each.waiver_id ?? ''} ${each.review ?? ''} ${each.at}`}>
            {each.by === null
              ? t.earlierAlone(t.earlierDecisions[each.decision], format.date(each.at))
              : t.earlierLine(
                  t.earlierDecisions[each.decision],
                  each.by,
                  format.date(each.at),
                )}{' '}
            {each.folder === null ? t.everyFolder : t.inFolder(each.folder)}
            {each.same_image && ` · ${t.sameImage}`}
            {each.reason && ` · ${each.reason}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
