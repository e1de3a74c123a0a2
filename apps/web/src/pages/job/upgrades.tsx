/** What would open a blocked job without a review: the package upgrades that clear its findings. */
import { Group, Text, Title } from '@mantine/core';
import type { VulnResultView } from '@portcullis/contract';
import { type PackageUpgrade, upgradePlan } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { blockingOf } from './review/blocking.ts';
import classes from './upgrades.module.css';

const MOST_SHOWN = 8;
const MOST_NAMED = 3;

export function Upgrades({ result }: { result: VulnResultView }) {
  const t = useMessages('job');
  const { upgrades, unfixed } = upgradePlan(
    blockingOf(result).flatMap(({ id, packages }) =>
      packages
        .filter(({ severity }) => result.severities.includes(severity))
        .map(({ name, installed_version, fixed_version }) => ({
          ...{ id, package: name },
          ...{ installedVersion: installed_version, fixedVersion: fixed_version },
        })),
    ),
  );
  if (upgrades.length + unfixed.length === 0) return null;
  const more = upgrades.length - MOST_SHOWN;
  const withoutFix = [...new Set(unfixed.map(({ id }) => id))];
  return (
    <section aria-label={t.upgrades.title}>
      <Group gap="xs">
        <Title order={3} size="sm">
          {t.upgrades.title}
        </Title>
        {upgrades.length > 0 && <CopyButton text={upgrades.map(lineOf).join('\n')} />}
      </Group>
      <ul className={classes.list}>
        {upgrades.slice(0, MOST_SHOWN).map((upgrade) => (
          <li key={lineOf(upgrade)}>
            <b>{upgrade.package}</b> {upgrade.installedVersion} →{' '}
            <span className={classes.to}>{upgrade.to}</span>{' '}
            <span className={classes.quiet}>{t.upgrades.clears(upgrade.clears.length)}</span>
          </li>
        ))}
        {more > 0 && <li className={classes.quiet}>{t.upgrades.more(more)}</li>}
      </ul>
      {withoutFix.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.upgrades.unfixed(withoutFix.length, withoutFix.slice(0, MOST_NAMED).join(', '))}
        </Text>
      )}
    </section>
  );
}

function lineOf({ package: name, installedVersion, to }: PackageUpgrade): string {
  return `${name} ${installedVersion} -> ${to}`;
}
