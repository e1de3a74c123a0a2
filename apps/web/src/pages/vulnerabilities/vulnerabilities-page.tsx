/** Which vulnerabilities are in the images of the built-in registry. */
import { Button, Group, Select, Switch } from '@mantine/core';
import { ROOT_FOLDER, SEVERITIES } from '@portcullis/domain';
import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { url, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { defineList, useList } from '../../kit/list/use-list.ts';
import { useVulnerabilityColumns } from './vulnerability-columns.tsx';
import { FIXES, VULNERABILITY_FILTER } from './vulnerability-filter.ts';
import { VulnerabilityTabs } from './vulnerability-tabs.tsx';

const VULNERABILITIES = defineList({
  operation: 'vulnerabilities.listVulnerabilities',
  filter: VULNERABILITY_FILTER,
  keyOf: ({ id }) => id,
});

export function Component() {
  const t = useMessages('vulnerabilities');
  const { severity } = useMessages('verdict');
  const { title: running } = useMessages('running');
  const list = useList(VULNERABILITIES);
  const { state, change } = list;
  // Without the feeds nothing is known of exploits.
  const hasCatalog = list.table.rows.some(({ kev }) => kev !== null);
  const hasScores = list.table.rows.some(({ epss }) => epss !== null);
  const hasRunning = list.table.rows.some((row) => row.running !== null);
  const columns = useVulnerabilityColumns({
    withKev: hasCatalog,
    withScores: hasScores || state.sort.endsWith('epss'),
    running: hasRunning || state.sort.endsWith('running') ? running : null,
  });
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button
          component="a"
          variant="default"
          href={url('vulnerabilities.exportVulnerabilities', {
            query: VULNERABILITY_FILTER.query(state, Date.now()),
          })}
          download
          leftSection={<IconDownload size={16} />}
        >
          {t.export}
        </Button>
      </PageHead>
      <VulnerabilityTabs view="list" />
      <FilterBar list={list} search={t.search} saved="vulnerabilities">
        <FilterSelect
          label={t.severity}
          values={SEVERITIES}
          names={severity}
          value={state.severity}
          any={t.everySeverity}
          onChange={(chosen) => change({ severity: chosen })}
        />
        <FilterSelect
          label={t.fix}
          values={FIXES}
          names={t.fixes}
          value={state.fix}
          onChange={(fix) => change({ fix: fix ?? 'all' })}
        />
        <FolderFilter value={state.folder} onChange={(folder) => change({ folder })} />
        <Group gap="8px 24px">
          <Switch
            label={t.fresh}
            checked={state.fresh}
            onChange={(event) => change({ fresh: event.currentTarget.checked })}
          />
          <Switch
            label={t.onlyExploited}
            checked={state.exploited}
            onChange={(event) => change({ exploited: event.currentTarget.checked })}
          />
        </Group>
      </FilterBar>
      <ListView
        list={list}
        columns={columns}
        words={t}
        empty={<EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText} />}
      />
    </>
  );
}

/** From this number on, folders are found by typing. */
const MANY = 8;

interface FolderFilterProps {
  /** Null: of all folders. */
  value: string | null;
  onChange(folder: string | null): void;
}

/** A filter by one of the folders that the account may pull from, where there are several. */
function FolderFilter({ value, onChange }: FolderFilterProps) {
  const t = useMessages('vulnerabilities');
  const pullable = useAnswer('folders.listPullable').data ?? [];
  // An address may name a folder that this account may not read: nothing matches it.
  const folders = value === null || pullable.includes(value) ? pullable : [...pullable, value];
  if (folders.length < 2 && value === null) return null;
  return (
    <Select
      aria-label={t.folder}
      placeholder={t.everyFolder}
      data={folders.map((name) => ({
        value: name,
        label: name === ROOT_FOLDER ? t.rootFolder : name,
      }))}
      value={value}
      searchable={folders.length > MANY}
      clearable
      clearButtonProps={{ 'aria-label': t.everyFolder }}
      onChange={onChange}
    />
  );
}
