/** The decision of the pull gate about an image, for the account that looks, with every step. */
import { List, Stack, Text } from '@mantine/core';
import type { ExplainedImage, GateDecision, ImageDetail } from '@portcullis/contract';
import { DEFAULT_POLICY_NAME, LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { SeverityBadge } from '../../../kit/verdict/severity-badge.tsx';
import { SectionTitle } from '../detail/section-title.tsx';
import type { RepositoryLocation } from '../repository-location.ts';
import { Signatures } from './signatures.tsx';

interface ExplanationProps {
  place: RepositoryLocation;
  image: Pick<ImageDetail, 'digest' | 'scan'>;
}

/** Only the built-in registry decides about pulls. */
export function useImageStanding(
  { registryId, repository }: RepositoryLocation,
  digest = '',
): UseQueryResult<ExplainedImage> {
  return useAnswer(
    'images.getImageStanding',
    {
      params: { registry_id: registryId },
      query: { repository, reference: digest },
    },
    { enabled: registryId === LOCAL_REGISTRY_ID && digest !== '' },
  );
}

/** An error leaves it out: the verdict is shown without it. */
export function Explanation({ place, image }: ExplanationProps) {
  const t = useMessages('standing');
  const { data } = useImageStanding(place, image.digest);
  if (!data) return null;
  return (
    <section>
      <SectionTitle>{t.title}</SectionTitle>
      <Stack gap="xs">
        <Text>
          <b>{t.outcomes[data.outcome]}</b> <Reason decision={data} />
        </Text>
        <Facts decision={data} />
        <Signatures decision={data} />
        <Blocking decision={data} />
        <Waived decision={data} />
      </Stack>
    </section>
  );
}

function Reason({ decision }: { decision: GateDecision }) {
  const [t, format] = useWords('standing');
  const { because, code, until, waived, age_waiver: age, signature_waiver: signed } = decision;
  if (because === 'grace') return t.grace(format.dateTime(until ?? ''));
  if (because === 'passes' && (waived.length > 0 || age !== null || signed !== null))
    return t.passesByWaivers;
  const reason = because === null ? null : t.reasons[because];
  return [reason, code !== null && because !== 'bypass' && t.codes[code]].filter(Boolean).join(' ');
}

function Facts({ decision }: { decision: GateDecision }) {
  const { report, policy, blocked_at: blocked, waits_until: waits, age_waiver: age } = decision;
  const [t, format] = useWords('standing');
  const facts = [
    policy.name === DEFAULT_POLICY_NAME
      ? t.defaultPolicy(policy.version)
      : t.policy(policy.name, policy.version),
    report === null
      ? t.noReport
      : t.report(`${report.scanner} ${report.scanner_version}`, format.dateTime(report.scanned_at)),
    report?.database_at && t.database(format.dateTime(report.database_at)),
    waits !== null && t.waitsUntil(format.dateTime(waits)),
    age !== null && t.ageWaived(format.dateTime(age.until)),
    blocked !== null && decision.because !== 'passes' && t.blockedSince(format.dateTime(blocked)),
  ].filter(Boolean);
  return <Dimmed>{facts.join(' ')}</Dimmed>;
}

interface FindingsProps<K extends 'blocking' | 'blocking_total' | 'waived'> {
  decision: Pick<GateDecision, K>;
}

export function Blocking({
  decision: { blocking, blocking_total: total },
}: FindingsProps<'blocking' | 'blocking_total'>) {
  const [t, format] = useWords('standing');
  if (blocking.length === 0) return null;
  const more = total - blocking.length;
  return (
    <div>
      <Text fw={550}>{t.blocking(total)}</Text>
      <List size="sm">
        {blocking.map((found) => (
          <List.Item key={found.vulnerability}>
            <SeverityBadge severity={found.severity} />{' '}
            {t.finding(found.vulnerability, `${found.package} ${found.installed_version}`)}
            {found.other_packages_total > 0 && ` ${t.morePackages(found.other_packages_total)}`},{' '}
            {t.byRule(format.number(found.rule + 1))}
            {found.waivers.length > 0 && (
              <>, {t.uncovered(format.list(found.waivers.map(({ miss }) => t.misses[miss])))}</>
            )}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t.moreFindings(format.number(more))}</List.Item>}
      </List>
    </div>
  );
}

export function Waived({ decision: { waived } }: FindingsProps<'waived'>) {
  const [t, format] = useWords('standing');
  if (waived.length === 0) return null;
  return (
    <div>
      <Text fw={550}>{t.waived}</Text>
      <List size="sm">
        {waived.map((found) => (
          <List.Item key={found.vulnerability}>
            {t.finding(found.vulnerability, found.package)}, {t.until(format.date(found.until))}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
