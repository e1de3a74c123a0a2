/** Shows a chart, and the same figures as a table. */
import { Button } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';

interface ChartPanelProps {
  title: string;
  /** A summary of the chart. */
  sentence: string;
  chart: ReactNode;
  table: ReactNode;
}

export function ChartPanel({ title, sentence, chart, table }: ChartPanelProps) {
  const [t, format] = useWords('dashboard');
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? IconChartBar : IconTable;
  return (
    <Panel
      title={title}
      description={sentence}
      actions={
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<Icon size={14} aria-hidden="true" />}
          onClick={() => setAsTable(!asTable)}
          aria-label={`${asTable ? t.asChart : t.asTable}${format.colon}${title}`}
        >
          {asTable ? t.asChart : t.asTable}
        </Button>
      }
    >
      {asTable ? table : chart}
    </Panel>
  );
}
