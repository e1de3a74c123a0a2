import { Button, Switch, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { EVERYTHING, queryOf, useAuditView } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';

export function Component() {
  const t = useMessages('audit');
  const [view, change] = useAuditView();
  const [live, setLive] = useState(false);
  useShortcut('l', t.live, () => setLive(!live));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Tooltip label={t.liveHint}>
          <Switch
            label={t.live}
            checked={live}
            onChange={(event) => setLive(event.currentTarget.checked)}
            mr="sm"
          />
        </Tooltip>
        <Tooltip label={t.exportHint}>
          <Button
            component="a"
            variant="default"
            href={url('audit.exportAudit', { query: queryOf(view, Date.now()) })}
            download
            leftSection={<IconDownload size={16} />}
          >
            {t.export}
          </Button>
        </Tooltip>
      </PageHead>
      <AuditFilters view={view} onChange={change} />
      <AuditList view={view} live={live} onFilter={change} onClear={() => change(EVERYTHING)} />
    </>
  );
}
