import { Button } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useAccount } from '../../session/account.ts';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { isReviewer } from './reviewer.ts';
import { useMayRequest } from './use-may-request.ts';
import { WaiverDrawer } from './waiver-drawer.tsx';
import { ANY_WAIVER, sortOf, useWaiverListFilter } from './waiver-filter.ts';
import { WaiverFilters } from './waiver-filters.tsx';
import { WaiverList } from './waiver-list.tsx';

export function Component() {
  const t = useMessages('waivers');
  const reviews = isReviewer(useAccount());
  const mayRequest = useMayRequest();
  const [filter, change] = useWaiverListFilter();
  const [importing, importer] = useDisclosure();
  const [exporting, exporter] = useDisclosure();
  const view = filter.view ?? (reviews ? 'review' : 'all');
  const [q] = useDebouncedValue(filter.q, 300);
  const [requester] = useDebouncedValue(filter.requester, 300);
  const { open: shown, ...conditions } = filter;
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={exporter.open}>
          {t.export}
        </Button>
        {mayRequest && (
          <Button variant="default" leftSection={<IconUpload size={16} />} onClick={importer.open}>
            {t.import}
          </Button>
        )}
      </PageHead>
      <WaiverFilters view={view} filter={filter} onChange={change} />
      <WaiverList
        {...conditions}
        {...{ view, q, requester }}
        onSort={(order) => change({ sort: sortOf(order) })}
        onOpen={(open) => change({ open })}
        onClear={() => change({ view: 'all', ...ANY_WAIVER })}
      />
      <WaiverDrawer id={shown} onClose={() => change({ open: null })} />
      <ImportDialog opened={importing} onClose={importer.close} />
      <ExportDialog opened={exporting} onClose={exporter.close} />
    </>
  );
}
