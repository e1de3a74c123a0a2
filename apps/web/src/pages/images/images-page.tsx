/** Shows the repositories of a registry as a tree or as a list. */
import { Button, Group, Select } from '@mantine/core';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconPackages, IconServer2 } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultView } from '../../kit/fault/fault.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { ListSkeleton } from '../../kit/layout/query-view.tsx';
import { FilterBar, StateFilter } from '../../kit/list/filter-bar.tsx';
import { toggled } from '../../kit/list/toggled.ts';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { useAccount } from '../../session/account.ts';
import { Administrators } from '../../session/contacts.tsx';
import { VIEWS } from './image-filter.ts';
import { OpenByName } from './open-by-name.tsx';
import { RepositoryList, useRepositories } from './repository-list.tsx';
import { listPath } from './repository-location.ts';
import { ImageTree } from './tree/image-tree.tsx';
import { useImageTree } from './tree/use-image-tree.ts';
import { useRegistryChoices } from './use-registries.ts';

export function Component() {
  const t = useMessages('images');
  const { registryId = LOCAL_REGISTRY_ID } = useParams();
  const navigate = useNavigate();
  const isLocal = registryId === LOCAL_REGISTRY_ID;
  const list = useRepositories(
    registryId,
    ({ q, view }) => !isLocal || q.trim() !== '' || view === 'list',
  );
  const { state, change } = list;
  const mayBeTree = isLocal && state.q.trim() === '';
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <RegistrySelect value={registryId} onChange={(id) => void navigate(listPath(id))} />
      </PageHead>
      <FilterBar
        list={list}
        search={t.search}
        saved={isLocal ? 'repositories' : 'saved-registry-repositories'}
        states={
          mayBeTree && (
            <StateFilter
              label={t.view}
              values={VIEWS}
              names={t.views}
              value={state.view}
              onChange={(view) => change({ view })}
            />
          )
        }
      />
      {mayBeTree && state.view === 'tree' ? (
        <Tree
          open={state.open}
          onToggle={(path) => change((latest) => ({ open: toggled(latest.open, path) }))}
        />
      ) : (
        <RepositoryList
          registryId={registryId}
          list={list}
          empty={isLocal ? <Nothing /> : <OpenByName registryId={registryId} />}
        />
      )}
    </>
  );
}

interface TreeProps {
  open: string[];
  onToggle(path: string): void;
}

function Tree({ open, onToggle }: TreeProps) {
  const tree = useImageTree(open);
  const { items, total, error } = tree.top;
  if (error && items.length === 0) return <FaultView error={error} retry={tree.retry} />;
  if (total === undefined) return <ListSkeleton rows={8} />;
  if (total === 0) return <NothingReadable />;
  if (total === items.length && items.every(({ tag_count }) => tag_count === 0))
    return <NoImages />;
  return <ImageTree tree={tree} onToggle={onToggle} />;
}

/** In the list of all repositories. */
function Nothing() {
  const pullable = useAnswer('folders.listPullable');
  return pullable.data?.length === 0 ? <NothingReadable /> : <NoImages />;
}

function NothingReadable() {
  const t = useMessages('images');
  return (
    <EmptyState icon={IconPackages} title={t.noneReadableTitle} text={t.noneReadableText}>
      <Administrators />
    </EmptyState>
  );
}

function NoImages() {
  const t = useMessages('images');
  const { capabilities } = useAccount();
  return (
    <EmptyState icon={IconPackages} title={t.emptyTitle} text={t.emptyText}>
      <Group gap="sm">
        <Button component={Link} to="/staging/new">
          {t.emptyAction}
        </Button>
      </Group>
      {capabilities.push && (
        <Dimmed>
          <code>docker push {window.location.host}/…</code>
        </Dimmed>
      )}
    </EmptyState>
  );
}

interface RegistrySelectProps {
  value: string;
  onChange(registryId: string): void;
}

function RegistrySelect({ value, onChange }: RegistrySelectProps) {
  const t = useMessages('images');
  const choices = useRegistryChoices();
  return (
    <Select
      aria-label={t.registry}
      data={choices}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      leftSection={<IconServer2 size={16} aria-hidden="true" />}
      searchable={choices.length > 6}
      allowDeselect={false}
      w={{ base: '100%', xs: 300 }}
    />
  );
}
