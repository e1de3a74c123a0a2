import { Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Bars } from './bars.tsx';

export function FindingsPanel({ findings }: Pick<DashboardStats, 'findings'>) {
  const t = useMessages('dashboard');
  const format = useFormat();
  const { severity } = useMessages('verdict');
  const { by_severity, fixable, images_scanned, images_unscanned } = findings;
  const images = images_scanned + images_unscanned;
  const total = Object.values(by_severity).reduce((sum, each) => sum + each, 0);
  return (
    <Panel title={t.bySeverity} description={t.bySeverityText}>
      {total === 0 ? (
        <Text c="dimmed">{t.noFindings}</Text>
      ) : (
        <Bars
          headings={[t.bySeverity, t.total]}
          bars={SEVERITIES.map((each) => ({
            key: each,
            name: severity[each],
            value: by_severity[each],
            shown: format.number(by_severity[each]),
            color: `var(--${each.toLowerCase()})`,
          }))}
        />
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {total > 0 && `${t.fixable(fixable)}. `}
        {images === 0 ? t.noImages : t.scannedOf(images_scanned, images)}.
      </Text>
    </Panel>
  );
}
