/** What would open a blocked job without a review: the package upgrades that clear its findings. */
import { Anchor, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { VulnResultView } from '@portcullis/contract';
import { type PackageUpgrade, type UpgradePlan, upgradePlan } from '@portcullis/domain';
import { useMemo } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { blockingPackages, clearedByUpdates } from './blocking-packages.ts';
import classes from './upgrades.module.css';

/** What to do stands above the list, which a phone shows below. */
const MOST_SHOWN = 3;
const MOST_NAMED = 3;

export function Upgrades({ result }: { result: VulnResultView }) {
  const [t, format] = useWords('job');
  const { base, own } = useMemo(() => plansOf(result), [result]);
  const all = [...base.upgrades, ...own.upgrades];
  const withoutFix = [...new Set([...base.unfixed, ...own.unfixed].map(({ id }) => id))];
  const total = format.number(clearedByUpdates(result).blocking);
  const cleared = (plan: UpgradePlan) => format.number(clearedBy(plan));
  if (all.length + withoutFix.length === 0) return null;
  return (
    <section aria-label={t.upgrades.title}>
      <Group gap="xs" wrap="nowrap">
        <Title order={3} size="sm">
          {t.upgrades.title}
        </Title>
        {all.length > 0 && <CopyButton text={all.map(lineOf).join('\n')} />}
      </Group>
      <UpgradeList plan={base} caption={t.upgrades.inBase(cleared(base), total)} />
      <UpgradeList
        plan={own}
        caption={base.upgrades.length > 0 ? t.upgrades.inOwn(cleared(own), total) : null}
      />
      {withoutFix.length > 0 && (
        <Dimmed>
          {t.upgrades.unfixed(withoutFix.length, withoutFix.slice(0, MOST_NAMED).join(', '))}
        </Dimmed>
      )}
    </section>
  );
}

function plansOf(result: VulnResultView): { base: UpgradePlan; own: UpgradePlan } {
  const { base, own } = blockingPackages(result);
  return { base: upgradePlan(base), own: upgradePlan(own) };
}

/** How many vulnerabilities these upgrades clear in their layers. */
const clearedBy = ({ upgrades }: UpgradePlan): number =>
  new Set(upgrades.flatMap(({ clears }) => clears)).size;

function UpgradeList({ plan, caption }: { plan: UpgradePlan; caption: string | null }) {
  const t = useMessages('job');
  const { upgrades } = plan;
  const [isOpen, { open }] = useDisclosure();
  const shown = isOpen ? upgrades : upgrades.slice(0, MOST_SHOWN);
  const more = upgrades.length - shown.length;
  if (upgrades.length === 0) return null;
  return (
    <>
      {caption !== null && (
        <Text size="sm" mt={4}>
          {caption}
        </Text>
      )}
      <ul className={classes.list}>
        {shown.map((upgrade) => (
          <li key={lineOf(upgrade)}>
            <b>{upgrade.packages.join(', ')}</b> {upgrade.installedVersion} →{' '}
            <span className={classes.to}>{upgrade.to}</span>{' '}
            <Dimmed span>{t.upgrades.clears(upgrade.clears.length)}</Dimmed>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Anchor component="button" type="button" size="sm" onClick={open}>
              {t.upgrades.more(more)}
            </Anchor>
          </li>
        )}
      </ul>
    </>
  );
}

function lineOf({ packages, installedVersion, to }: PackageUpgrade): string {
  return `${packages.join(', ')} ${installedVersion} -> ${to}`;
}
