/** How vulnerabilities and jobs developed in the last 30 days, and which images have the most. */
import { Stack, Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Bars } from '../../../kit/chart/bars.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { VulnerabilityTabs } from '../vulnerability-tabs.tsx';
import { FindingDaysPanel } from './finding-days-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import classes from './trends.module.css';
import { VulnerablePanel } from './vulnerable-panel.tsx';

export function Component() {
  const t = useMessages('vulnerabilities');
  const stats = useAnswer('dashboard.stats');
  return (
    <>
      <PageHead title={t.title} description={t.trendsLead} />
      <VulnerabilityTabs view="trends" />
      <QueryView query={stats} rows={3} rowHeight={220}>
        {({ findings, jobs, top_vulnerable: images }) => (
          <Stack gap="md">
            <div className={classes.wide}>
              <FindingDaysPanel days={findings.per_day} />
              <FindingsPanel findings={findings} />
            </div>
            <VulnerablePanel images={images} />
            <JobsPanel jobs={jobs} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function FindingsPanel({ findings }: Pick<DashboardStats, 'findings'>) {
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
