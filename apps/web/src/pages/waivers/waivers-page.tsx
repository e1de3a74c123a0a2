import { Button, Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconDownload, IconUpload, IconX } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { useAccount } from '../../session/account.ts';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { isReviewer } from './reviewer.ts';
import { WaiverDrawer } from './waiver-drawer.tsx';
import { parametersOf, sortOf, useWaiverListFilter, WAIVER_VIEWS } from './waiver-filter.ts';
import { WaiverList } from './waiver-list.tsx';
import classes from './waivers.module.css';

export function Component() {
  const t = useMessages('waivers');
  const reviews = isReviewer(useAccount());
  const [filter, change] = useWaiverListFilter();
  const [importing, importer] = useDisclosure();
  const [exporting, exporter] = useDisclosure();
  const view = filter.view ?? (reviews ? 'review' : 'all');
  const [q] = useDebouncedValue(filter.q, 300);
  const query = new URLSearchParams(parametersOf({ ...filter, open: null })).toString();
  const views = WAIVER_VIEWS.filter((each) => reviews || each !== 'review');
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={exporter.open}>
          {t.export}
        </Button>
        <Button variant="default" leftSection={<IconUpload size={16} />} onClick={importer.open}>
          {t.import}
        </Button>
      </PageHead>
      <search className={classes.filters}>
        <SearchField
          className={classes.words ?? ''}
          label={t.search}
          value={filter.q}
          onChange={(text) => change({ q: text })}
        />
        <Select
          aria-label={t.state}
          data={views.map((value) => ({ value, label: t.views[value] }))}
          value={view}
          allowDeselect={false}
          onChange={(chosen) => change({ view: views.find((each) => each === chosen) ?? null })}
        />
        {filter.folder !== null && (
          <Button
            variant="default"
            rightSection={<IconX size={14} aria-hidden="true" />}
            onClick={() => change({ folder: null })}
          >
            {t.onlyFolder(filter.folder)}
          </Button>
        )}
        <div className={classes.saved}>
          <SavedFilterChips list="waivers" query={query} />
        </div>
      </search>
      <WaiverList
        view={view}
        q={q}
        folder={filter.folder}
        sort={filter.sort}
        onSort={(order) => change({ sort: sortOf(order) })}
        onOpen={(open) => change({ open })}
        onClear={() => change({ view: 'all', q: '', folder: null })}
      />
      <WaiverDrawer id={filter.open} onClose={() => change({ open: null })} />
      <ImportDialog opened={importing} onClose={importer.close} />
      <ExportDialog opened={exporting} onClose={exporter.close} />
    </>
  );
}
