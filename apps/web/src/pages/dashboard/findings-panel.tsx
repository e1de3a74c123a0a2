import { Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { Bars } from './bars.tsx';

export function FindingsPanel({ findings }: Pick<DashboardStats, 'findings'>) {
  const [t, format] = useWords('dashboard');
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
      <Dimmed mt="sm">
        {total > 0 && `${t.fixable(fixable)}. `}
        {images === 0 ? t.noImages : t.scannedOf(images_scanned, images)}.
      </Dimmed>
    </Panel>
  );
}
